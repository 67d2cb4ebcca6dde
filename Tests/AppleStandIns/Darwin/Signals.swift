// swift-format-ignore-file: AlwaysUseLowerCamelCase

// sigset_t is a number on Darwin, and a structure in Glibc.
@_exported import DarwinTypes
import Glibc

public typealias sigset_t = UInt32

@discardableResult
public func sigemptyset(_ set: UnsafeMutablePointer<sigset_t>!) -> Int32 { fatalError() }

@discardableResult
public func sigfillset(_ set: UnsafeMutablePointer<sigset_t>!) -> Int32 { fatalError() }

@discardableResult
public func sigaddset(_ set: UnsafeMutablePointer<sigset_t>!, _ signal: Int32) -> Int32 {
  fatalError()
}

@discardableResult
public func sigdelset(_ set: UnsafeMutablePointer<sigset_t>!, _ signal: Int32) -> Int32 {
  fatalError()
}

@discardableResult
public func sigismember(_ set: UnsafePointer<sigset_t>!, _ signal: Int32) -> Int32 { fatalError() }

@discardableResult
public func sigpending(_ set: UnsafeMutablePointer<sigset_t>!) -> Int32 { fatalError() }

@discardableResult
public func sigwait(
  _ set: UnsafePointer<sigset_t>!,
  _ signal: UnsafeMutablePointer<Int32>!
) -> Int32 {
  fatalError()
}

@discardableResult
public func sigprocmask(
  _ how: Int32,
  _ set: UnsafePointer<sigset_t>!,
  _ old: UnsafeMutablePointer<sigset_t>!
) -> Int32 {
  fatalError()
}

@discardableResult
public func pthread_sigmask(
  _ how: Int32,
  _ set: UnsafePointer<sigset_t>?,
  _ old: UnsafeMutablePointer<sigset_t>?
) -> Int32 {
  fatalError()
}

@discardableResult
public func pselect(
  _ count: Int32,
  _ reading: UnsafeMutablePointer<fd_set>!,
  _ writing: UnsafeMutablePointer<fd_set>!,
  _ failing: UnsafeMutablePointer<fd_set>!,
  _ timeout: UnsafePointer<timespec>!,
  _ mask: UnsafePointer<sigset_t>!
) -> Int32 {
  fatalError()
}

@discardableResult
public func sigaction(
  _ signal: Int32,
  _ action: UnsafePointer<DarwinTypes.sigaction>!,
  _ old: UnsafeMutablePointer<DarwinTypes.sigaction>!
) -> Int32 {
  fatalError()
}
