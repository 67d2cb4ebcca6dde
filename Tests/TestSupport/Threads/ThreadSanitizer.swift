/// Whether the tests were built with `--sanitize=thread -Xswiftc -DLIFECYCLE_TSAN`.
public let isThreadSanitized: Bool = {
  #if LIFECYCLE_TSAN
    true
  #else
    false
  #endif
}()
