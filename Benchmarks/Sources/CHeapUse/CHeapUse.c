#include "CHeapUse.h"

#include <malloc.h>

// Not a part of Swift's Glibc, and Swift can't call what returns so large a structure by its name.
size_t heap_bytes_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  // What was mapped on its own is not in the first number.
  return info.uordblks + info.hblkhd;
}
