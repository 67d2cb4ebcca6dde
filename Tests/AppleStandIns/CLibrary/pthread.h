#pragma once

#include <c_types.h>

typedef struct _opaque_pthread_attr_t pthread_attr_t;

int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_atfork(void (*)(void), void (*)(void), void (*)(void));
pthread_t pthread_self(void);
// Of the calling thread alone, unlike glibc's.
int pthread_setname_np(const char *);
