#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension PseudoTerminal {
  /// Changes the size, as a user does who drags the edge of the window: the foreground group
  /// receives SIGWINCH.
  public func resize(rows: UInt16, columns: UInt16) throws(JobControlError) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0 else { throw .current("ioctl") }
  }
}
