#pragma once

#include <c_types.h>

int close(int);
pid_t getpgrp(void);
pid_t getpid(void);
int pipe(int[2]);
pid_t tcgetpgrp(int);
ssize_t write(int, const void *, size_t);
