#pragma once

struct pollfd {
  int fd;
  short events;
  short revents;
};
typedef unsigned int nfds_t;

int poll(struct pollfd *, nfds_t, int);
