#pragma once

#include <c_types.h>

int close(int);
pid_t getpid(void);
int pipe(int[2]);
ssize_t write(int, const void *, size_t);
