#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A terminal behind a descriptor.
package struct Terminal {
  private let descriptor: CInt

  /// Nil when the descriptor leads elsewhere.
  package init?(descriptor: CInt) {
    guard isatty(descriptor) == 1 else { return nil }
    self.descriptor = descriptor
  }

  /// How wide it is now: 80 columns, if it does not say.
  package var columns: Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Whether this process is in its foreground, so that writing cannot stop it (SIGTTOU).
  package var isOurs: Bool {
    tcgetpgrp(descriptor) == getpgrp()
  }
}
