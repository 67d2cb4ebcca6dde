/// Whether the tests were built with `--sanitize=address -Xswiftc -DLIFECYCLE_ASAN`.
public let isAddressSanitized: Bool = {
  #if LIFECYCLE_ASAN
    true
  #else
    false
  #endif
}()
