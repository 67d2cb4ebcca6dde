#pragma once

#include <c_types.h>

pthread_t pthread_self(void);
// Of the calling thread alone, unlike glibc's.
int pthread_setname_np(const char *);
