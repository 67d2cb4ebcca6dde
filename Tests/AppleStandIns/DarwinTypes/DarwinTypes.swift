// swift-format-ignore-file: AlwaysUseLowerCamelCase

// `sigaction` and `stat` are types and functions, which one Swift module can't declare both.
import Glibc

public typealias sigaction = Glibc.sigaction

public struct stat {
  public var st_dev: Int32
  public var st_mode: UInt16
  public var st_ino: UInt64
  public var st_size: Int64
  public var st_blocks: Int64
  public init() { fatalError() }
}
