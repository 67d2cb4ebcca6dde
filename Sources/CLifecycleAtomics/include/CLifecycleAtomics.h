// Atomic accesses for systems that lack Swift's `Atomic`. A load acquires, and a store releases.
#ifndef CLIFECYCLE_ATOMICS_H
#define CLIFECYCLE_ATOMICS_H

#include <stdbool.h>

#define LIFECYCLE_INLINE static inline __attribute__((always_inline))

LIFECYCLE_INLINE long lifecycle_load_number(const long *_Nonnull number) {
  return __atomic_load_n(number, __ATOMIC_ACQUIRE);
}

LIFECYCLE_INLINE void lifecycle_store_number(long *_Nonnull number, long value) {
  __atomic_store_n(number, value, __ATOMIC_RELEASE);
}

LIFECYCLE_INLINE long lifecycle_add_to_number(long *_Nonnull number, long value) {
  return __atomic_fetch_add(number, value, __ATOMIC_ACQ_REL);
}

LIFECYCLE_INLINE bool lifecycle_load_flag(const bool *_Nonnull flag) {
  return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

LIFECYCLE_INLINE void lifecycle_store_flag(bool *_Nonnull flag, bool value) {
  __atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

LIFECYCLE_INLINE bool lifecycle_exchange_flag(bool *_Nonnull flag, bool value) {
  return __atomic_exchange_n(flag, value, __ATOMIC_ACQ_REL);
}

#endif
