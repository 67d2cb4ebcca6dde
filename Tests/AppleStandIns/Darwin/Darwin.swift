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

public typealias rlim_t = UInt64

public struct rlimit {
  public var rlim_cur: rlim_t
  public var rlim_max: rlim_t
  public init() { fatalError() }
}

public var RLIMIT_FSIZE: Int32 { fatalError() }

@discardableResult
public func getrlimit(_ resource: Int32, _ limits: UnsafeMutablePointer<rlimit>!) -> Int32 {
  fatalError()
}

@discardableResult
public func setrlimit(_ resource: Int32, _ limits: UnsafePointer<rlimit>!) -> Int32 {
  fatalError()
}

// MARK: Terminals

public var VDSUSP: Int32 { fatalError() }

// MARK: Threads

public struct _opaque_pthread_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>

@discardableResult
public func pthread_main_np() -> Int32 { fatalError() }

public func pthread_self() -> pthread_t { fatalError() }

@discardableResult
public func pthread_kill(_ thread: pthread_t, _ signal: Int32) -> Int32 { fatalError() }

public struct os_unfair_lock_s {
  public init() { fatalError() }
}

public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) { fatalError() }
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) { fatalError() }

// MARK: Files

public typealias off_t = Int64
public typealias dev_t = Int32
public typealias ino_t = UInt64
public typealias mode_t = UInt16

public var S_IFMT: mode_t { fatalError() }
public var S_IFIFO: mode_t { fatalError() }
public var S_IFCHR: mode_t { fatalError() }
public var S_IFDIR: mode_t { fatalError() }
public var S_IFBLK: mode_t { fatalError() }
public var S_IFREG: mode_t { fatalError() }
public var S_IFSOCK: mode_t { fatalError() }
public var F_FULLFSYNC: Int32 { fatalError() }

@discardableResult
public func mkdir(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { fatalError() }

@discardableResult
public func stat(
  _ path: UnsafePointer<CChar>!,
  _ status: UnsafeMutablePointer<DarwinTypes.stat>!
) -> Int32 {
  fatalError()
}

@discardableResult
public func truncate(_ path: UnsafePointer<CChar>!, _ size: off_t) -> Int32 { fatalError() }

public func open(_ path: UnsafePointer<CChar>!, _ flags: Int32, _ mode: mode_t) -> Int32 {
  fatalError()
}

@discardableResult
public func chmod(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { fatalError() }

@discardableResult
public func fchmod(_ file: Int32, _ mode: mode_t) -> Int32 { fatalError() }

@discardableResult
public func fstatat(
  _ directory: Int32,
  _ path: UnsafePointer<CChar>!,
  _ status: UnsafeMutablePointer<DarwinTypes.stat>!,
  _ flags: Int32
) -> Int32 {
  fatalError()
}

@discardableResult
public func flock(_ file: Int32, _ operation: Int32) -> Int32 { fatalError() }

public func lstat(
  _ path: UnsafePointer<CChar>!,
  _ status: UnsafeMutablePointer<DarwinTypes.stat>!
) -> Int32 {
  fatalError()
}

@discardableResult
public func fstat(_ file: Int32, _ status: UnsafeMutablePointer<DarwinTypes.stat>!) -> Int32 {
  fatalError()
}

@discardableResult
public func ftruncate(_ file: Int32, _ size: off_t) -> Int32 { fatalError() }

@discardableResult
public func pread(
  _ file: Int32,
  _ bytes: UnsafeMutableRawPointer!,
  _ count: Int,
  _ offset: off_t
) -> Int {
  fatalError()
}

@discardableResult
public func pwrite(
  _ file: Int32,
  _ bytes: UnsafeRawPointer!,
  _ count: Int,
  _ offset: off_t
) -> Int {
  fatalError()
}

@discardableResult
public func fclonefileat(
  _ file: Int32,
  _ directory: Int32,
  _ name: UnsafePointer<CChar>!,
  _ flags: UInt32
) -> Int32 {
  fatalError()
}

// MARK: Sockets

public var SO_NOSIGPIPE: Int32 { fatalError() }
public var SOCK_STREAM: Int32 { fatalError() }
public var SOCK_DGRAM: Int32 { fatalError() }

public typealias sa_family_t = UInt8

public struct sockaddr {
  public var sa_len: UInt8
  public var sa_family: sa_family_t
  public init() { fatalError() }
}

public struct sockaddr_un {
  public var sun_len: UInt8
  public var sun_family: sa_family_t
  public var sun_path: (CChar, CChar, CChar, CChar)
  public init() { fatalError() }
}

@discardableResult
public func bind(
  _ socket: Int32,
  _ address: UnsafePointer<sockaddr>!,
  _ size: socklen_t
) -> Int32 {
  fatalError()
}

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
