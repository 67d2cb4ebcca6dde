// The platform's C library. Other files import LifecycleSupport instead of naming it.

#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Android)
  @_exported public import Android
#endif

/// Constants whose types or values differ.
package enum Platform {
  #if canImport(Glibc)
    package static let streamSocket = Int32(SOCK_STREAM.rawValue)
    package static let datagramSocket = Int32(SOCK_DGRAM.rawValue)
  #else
    package static let streamSocket = SOCK_STREAM
    package static let datagramSocket = SOCK_DGRAM
  #endif

  #if canImport(Darwin)
    /// The flag by which sending to a socket without a reader ends no process; zero where the
    /// system has none.
    package static let noSignal: Int32 = 0
    /// `_POSIX_VDISABLE`: no key of a terminal.
    package static let disabledKey: cc_t = 0xFF
  #else
    /// The flag by which sending to a socket without a reader ends no process; zero where the
    /// system has none.
    package static let noSignal = Int32(MSG_NOSIGNAL)
    /// `_POSIX_VDISABLE`: no key of a terminal.
    package static let disabledKey: cc_t = 0
  #endif
}
