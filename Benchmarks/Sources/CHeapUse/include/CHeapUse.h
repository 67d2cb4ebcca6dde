#ifndef C_HEAP_USE_H
#define C_HEAP_USE_H

#include <stddef.h>

/// Returns the number of bytes that are allocated and not freed.
size_t heap_bytes_in_use(void);

#endif
