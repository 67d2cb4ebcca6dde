public struct OSLogType: Hashable, RawRepresentable, Sendable {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { fatalError() }
  public init(_ rawValue: UInt8) { fatalError() }

  public static var `default`: OSLogType { fatalError() }
  public static var info: OSLogType { fatalError() }
  public static var debug: OSLogType { fatalError() }
  public static var error: OSLogType { fatalError() }
  public static var fault: OSLogType { fatalError() }
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
public struct OSLogPrivacy: Sendable {
  public static var `public`: OSLogPrivacy { fatalError() }
  public static var `private`: OSLogPrivacy { fatalError() }
  public static var auto: OSLogPrivacy { fatalError() }
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
public struct OSLogInterpolation: StringInterpolationProtocol {
  public init(literalCapacity: Int, interpolationCount: Int) { fatalError() }
  public mutating func appendLiteral(_ literal: String) { fatalError() }
  public mutating func appendInterpolation(
    _ argumentString: @autoclosure @escaping () -> String,
    privacy: OSLogPrivacy = .auto
  ) { fatalError() }
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
  public init(stringInterpolation: OSLogInterpolation) { fatalError() }
  public init(stringLiteral value: String) { fatalError() }
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
public struct Logger: @unchecked Sendable {
  public init() { fatalError() }
  public init(subsystem: String, category: String) { fatalError() }
  public func log(level: OSLogType, _ message: OSLogMessage) { fatalError() }
}
