#pragma once

typedef unsigned long tcflag_t;
typedef unsigned char cc_t;
typedef unsigned long speed_t;

struct termios {
  tcflag_t c_iflag;
  tcflag_t c_oflag;
  tcflag_t c_cflag;
  tcflag_t c_lflag;
  cc_t c_cc[20];
  speed_t c_ispeed;
  speed_t c_ospeed;
};

#define NOFLSH 0x80000000
#define TCSANOW 0

int tcgetattr(int, struct termios *);
int tcsetattr(int, int, const struct termios *);
