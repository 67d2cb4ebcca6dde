#pragma once

#define O_RDWR 0x0002
#define O_NONBLOCK 0x00000004
#define O_NOCTTY 0x00020000
#define O_CLOEXEC 0x01000000
#define F_SETFD 2
#define F_SETFL 4
#define FD_CLOEXEC 1

int fcntl(int, int, ...);
