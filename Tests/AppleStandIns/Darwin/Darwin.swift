// swift-format-ignore-file: AlwaysUseLowerCamelCase

// What the sources use of Darwin and Glibc lacks, or declares in another way. Names that both have
// alike come from Glibc.
import Glibc

// MARK: Clocks

public struct clockid_t: RawRepresentable, Equatable, Sendable {
  public var rawValue: UInt32
  public init(rawValue: UInt32) { fatalError() }
  public init(_ rawValue: UInt32) { fatalError() }
}

public var CLOCK_REALTIME: clockid_t { fatalError() }
public var CLOCK_MONOTONIC: clockid_t { fatalError() }
public var CLOCK_MONOTONIC_RAW: clockid_t { fatalError() }
public var CLOCK_UPTIME_RAW: clockid_t { fatalError() }

@discardableResult
public func clock_gettime(_ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>!) -> Int32 {
  fatalError()
}

@discardableResult
public func clock_gettime_nsec_np(_ clock: clockid_t) -> UInt64 { fatalError() }

// MARK: The system

public func sysctlbyname(
  _ name: UnsafePointer<CChar>!,
  _ value: UnsafeMutableRawPointer!,
  _ count: UnsafeMutablePointer<Int>!,
  _ newValue: UnsafeMutableRawPointer!,
  _ newCount: Int
) -> Int32 {
  fatalError()
}

// MARK: Threads

public struct _opaque_pthread_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>

@discardableResult
public func pthread_main_np() -> Int32 { fatalError() }

public func pthread_self() -> pthread_t { fatalError() }

@discardableResult
public func pthread_create(
  _ thread: UnsafeMutablePointer<pthread_t?>,
  _ attributes: UnsafePointer<pthread_attr_t>?,
  _ body: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
  _ argument: UnsafeMutableRawPointer?
) -> Int32 {
  fatalError()
}

@discardableResult
public func pthread_join(
  _ thread: pthread_t,
  _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
  fatalError()
}

@discardableResult
public func pthread_kill(_ thread: pthread_t, _ signal: Int32) -> Int32 { fatalError() }

// MARK: Processes

@discardableResult
public func _NSGetExecutablePath(
  _ buffer: UnsafeMutablePointer<CChar>!,
  _ size: UnsafeMutablePointer<UInt32>!
) -> Int32 {
  fatalError()
}

public func _NSGetEnviron()
  -> UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>!
{
  fatalError()
}

// MARK: Sockets

public var SO_NOSIGPIPE: Int32 { fatalError() }
public var SOCK_STREAM: Int32 { fatalError() }

public typealias mode_t = UInt16
public typealias nfds_t = UInt32

@discardableResult
public func mkfifo(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { fatalError() }

@discardableResult
public func poll(
  _ requests: UnsafeMutablePointer<pollfd>!,
  _ count: nfds_t,
  _ milliseconds: Int32
) -> Int32 {
  fatalError()
}
