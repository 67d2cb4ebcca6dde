/// Whether the tests were built with `--sanitize=thread -Xswiftc -DLIFECYCLE_TSAN`.
public let isThreadSanitized: Bool = {
  #if LIFECYCLE_TSAN
    true
  #else
    false
  #endif
}()

/// Whether the tests were built with `--sanitize=address -Xswiftc -DLIFECYCLE_ASAN`.
public let isAddressSanitized: Bool = {
  #if LIFECYCLE_ASAN
    true
  #else
    false
  #endif
}()
