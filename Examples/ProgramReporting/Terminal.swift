#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A terminal behind a descriptor.
package struct Terminal {
  private let descriptor: CInt

  /// Creates a terminal, or returns nil if the descriptor is not one of a terminal.
  package init?(descriptor: CInt) {
    guard isatty(descriptor) == 1 else { return nil }
    self.descriptor = descriptor
  }

  /// The current width in columns; 80 if the terminal does not report one.
  package var columns: Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// A Boolean value that indicates whether this process is in the terminal's foreground, so that
  /// writing cannot stop it (SIGTTOU).
  package var isOurs: Bool {
    tcgetpgrp(descriptor) == getpgrp()
  }
}
