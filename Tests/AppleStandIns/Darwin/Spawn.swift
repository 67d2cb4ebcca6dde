// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Attributes and actions are pointers on Darwin, and structures in Glibc. `spawn.h`, beside this,
// says the same to the headers of C targets.
import Glibc

public typealias posix_spawnattr_t = UnsafeMutableRawPointer
public typealias posix_spawn_file_actions_t = UnsafeMutableRawPointer

@discardableResult
public func posix_spawnattr_init(
  _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!
) -> Int32 {
  fatalError()
}

@discardableResult
public func posix_spawnattr_destroy(
  _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!
) -> Int32 {
  fatalError()
}

@discardableResult
public func posix_spawnattr_setflags(
  _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!,
  _ flags: Int16
) -> Int32 {
  fatalError()
}

@discardableResult
public func posix_spawnattr_setpgroup(
  _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!,
  _ group: pid_t
) -> Int32 {
  fatalError()
}

@discardableResult
public func posix_spawnattr_setsigmask(
  _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!,
  _ set: UnsafePointer<sigset_t>!
) -> Int32 {
  fatalError()
}

@discardableResult
public func posix_spawnattr_setsigdefault(
  _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!,
  _ set: UnsafePointer<sigset_t>!
) -> Int32 {
  fatalError()
}

@discardableResult
public func posix_spawn_file_actions_init(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
) -> Int32 {
  fatalError()
}

@discardableResult
public func posix_spawn_file_actions_destroy(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
) -> Int32 {
  fatalError()
}

@discardableResult
public func posix_spawn_file_actions_addopen(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!,
  _ descriptor: Int32,
  _ path: UnsafePointer<CChar>!,
  _ flags: Int32,
  _ mode: mode_t
) -> Int32 {
  fatalError()
}

@discardableResult
public func posix_spawn_file_actions_adddup2(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!,
  _ descriptor: Int32,
  _ copy: Int32
) -> Int32 {
  fatalError()
}

@discardableResult
public func posix_spawnp(
  _ process: UnsafeMutablePointer<pid_t>!,
  _ file: UnsafePointer<CChar>!,
  _ actions: UnsafePointer<posix_spawn_file_actions_t?>!,
  _ attributes: UnsafePointer<posix_spawnattr_t?>!,
  _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
  _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 {
  fatalError()
}
