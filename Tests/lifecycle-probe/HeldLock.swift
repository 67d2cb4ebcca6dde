@preconcurrency import Glibc
import Synchronization

/// A stream of the C library whose lock another thread holds until the end.
enum HeldLock {
  private static let isHeld = Atomic(false)

  static func ofOutput() { hold { flockfile(stdout) } }
  static func ofInput() { hold { flockfile(stdin) } }

  private static func hold(_ lock: @escaping @convention(c) () -> Void) {
    var thread = pthread_t()
    let argument = unsafeBitCast(lock, to: UnsafeMutableRawPointer.self)
    pthread_create(
      &thread,
      nil,
      { lock in
        unsafeBitCast(lock, to: (@convention(c) () -> Void).self)()
        HeldLock.isHeld.store(true, ordering: .releasing)
        while true { sleep(1_000) }
      },
      argument
    )
    while !isHeld.load(ordering: .acquiring) { usleep(1_000) }
  }
}
