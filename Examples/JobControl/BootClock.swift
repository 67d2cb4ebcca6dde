#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Returns the nanoseconds on the clock that counts while the system sleeps.
func bootNanoseconds() -> Int64 {
  #if canImport(Darwin)
    return Int64(clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW))
  #else
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  #endif
}
