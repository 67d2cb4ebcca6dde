// Stands for the module `Dependencies` of swift-dependencies, as far as a sample uses it. Each
// declaration has the labels, constraints and `Sendable` conformances that it has there:
// https://github.com/pointfreeco/swift-dependencies/tree/main/Sources/Dependencies

import IssueReporting

public protocol TestDependencyKey<Value> {
  associatedtype Value: Sendable = Self

  static var previewValue: Value { get }
  static var testValue: Value { get }
}

public protocol DependencyKey<Value>: TestDependencyKey {
  associatedtype Value = Self

  static var liveValue: Value { get }
  static var previewValue: Value { get }
  static var testValue: Value { get }
}

public enum DependencyContext: Sendable {
  case live, preview, test
}

public struct DependencyValues: Sendable {
  @TaskLocal static var current = Self()

  private var storage: [ObjectIdentifier: any Sendable] = [:]

  public var context: DependencyContext = isTesting ? .test : .live

  public subscript<Key: TestDependencyKey>(key: Key.Type) -> Key.Value {
    get {
      if let value = storage[ObjectIdentifier(key)] as? Key.Value { return value }
      if context == .preview { return key.previewValue }
      guard context == .live, let live = key as? any DependencyKey.Type else {
        return key.testValue
      }
      return live.liveValue as! Key.Value
    }
    set { storage[ObjectIdentifier(key)] = newValue }
  }
}

@propertyWrapper
public struct Dependency<Value> {
  private let initialValues = DependencyValues.current
  private let keyPath: any KeyPath<DependencyValues, Value> & Sendable

  public init(_ keyPath: any KeyPath<DependencyValues, Value> & Sendable) {
    self.keyPath = keyPath
  }

  public var wrappedValue: Value { initialValues[keyPath: keyPath] }
}

@discardableResult
public func withDependencies<R>(
  _ updateValuesForOperation: (inout DependencyValues) throws -> Void,
  operation: () throws -> R
) rethrows -> R {
  var values = DependencyValues.current
  try updateValuesForOperation(&values)
  return try DependencyValues.$current.withValue(values, operation: operation)
}
