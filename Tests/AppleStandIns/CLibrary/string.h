#pragma once

#include <c_types.h>

void *memset(void *, int, size_t);
size_t strlcpy(char *, const char *, size_t);
