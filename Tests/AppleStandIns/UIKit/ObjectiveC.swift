// swift-format-ignore-file: AlwaysUseLowerCamelCase

// What Apple's Foundation has of the Objective-C runtime, and Linux's has not.
@_exported import Foundation

public struct Selector: ExpressibleByStringLiteral, Hashable, CustomStringConvertible,
  @unchecked Sendable
{
  public init(_ str: String) { fatalError() }
  public init(stringLiteral value: String) { fatalError() }
  public var description: String { fatalError() }
}

public func NSSelectorFromString(_ aSelectorName: String) -> Selector { fatalError() }

extension NSObject {
  public class func responds(to aSelector: Selector!) -> Bool { fatalError() }
  public class func perform(_ aSelector: Selector!) -> Unmanaged<AnyObject>! { fatalError() }
  public class func perform(_ aSelector: Selector!, with object: Any!) -> Unmanaged<AnyObject>! {
    fatalError()
  }

  public func responds(to aSelector: Selector!) -> Bool { fatalError() }
  public func perform(_ aSelector: Selector!) -> Unmanaged<AnyObject>! { fatalError() }
  public func perform(_ aSelector: Selector!, with object: Any!) -> Unmanaged<AnyObject>! {
    fatalError()
  }
}
