#pragma once

#include <c_types.h>

int pthread_atfork(void (*)(void), void (*)(void), void (*)(void));
pthread_t pthread_self(void);
// Of the calling thread alone, unlike glibc's.
int pthread_setname_np(const char *);
