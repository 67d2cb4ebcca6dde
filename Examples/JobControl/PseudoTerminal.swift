import CJobControl

#if canImport(Darwin)
  public import Darwin
#else
  public import Glibc
#endif

/// The master side of a pseudo-terminal: the side that a terminal emulator holds.
///
/// A session opens ``slavePath`` as its controlling terminal; the owner of this object types and
/// reads. The terminal hangs up when the object is closed or released.
public final class PseudoTerminal {
  public static let controlC: UInt8 = 0x03
  public static let controlZ: UInt8 = 0x1a

  /// The path of the device that a session opens.
  public let slavePath: String

  /// All bytes that were written to the terminal and have been read so far, echo included.
  public private(set) var output: [UInt8] = []

  private(set) var descriptor: CInt

  public init(rows: UInt16 = 24, columns: UInt16 = 80) throws(JobControlError) {
    var path = [CChar](repeating: 0, count: 128)
    descriptor = job_control_open_pseudo_terminal(&path, path.count)
    guard descriptor >= 0 else { throw .current("posix_openpt") }
    slavePath = path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0,
      fcntl(descriptor, F_SETFL, O_RDWR | O_NONBLOCK) == 0
    else { throw .current("ioctl") }
  }

  deinit { close() }

  public var outputText: String { String(decoding: output, as: UTF8.self) }

  public var isClosed: Bool { descriptor < 0 }

  /// The process group that keys like Ctrl-Z currently reach, or nil if there is none.
  public var foregroundGroup: pid_t? {
    let group = tcgetpgrp(descriptor)
    return group > 0 ? group : nil
  }

  /// Types keys. The terminal, not the reader, turns Ctrl-Z and Ctrl-C into signals.
  public func type(_ bytes: some Sequence<UInt8>) throws(JobControlError) {
    try writeAll(Array(bytes), to: descriptor)
  }

  public func type(_ text: String) throws(JobControlError) {
    try type(text.utf8)
  }

  public func type(_ byte: UInt8) throws(JobControlError) {
    try type(CollectionOfOne(byte))
  }

  /// Reads the available bytes without waiting. Returns false after a hang-up.
  func readAvailable() -> Bool {
    readAvailableBytes(from: descriptor) { output += $0 } == .open
  }

  /// Hangs up: the session's leader receives SIGHUP, and the terminal returns errors from then on.
  public func close() {
    guard !isClosed else { return }
    closeDescriptor(&descriptor)
  }
}

extension PseudoTerminal {
  /// Changes the size, as a user does who drags the edge of the window: the foreground group
  /// receives SIGWINCH.
  public func resize(rows: UInt16, columns: UInt16) throws(JobControlError) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0 else { throw .current("ioctl") }
  }
}
