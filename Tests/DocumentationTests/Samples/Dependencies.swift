// Stands for the module `Dependencies` of swift-dependencies, as far as a sample uses it. Each
// declaration has the labels, constraints and `Sendable` conformances that it has there:
// https://github.com/pointfreeco/swift-dependencies/tree/main/Sources/Dependencies

protocol DependencyKey<Value> {
  associatedtype Value: Sendable = Self

  static var liveValue: Value { get }
  static var previewValue: Value { get }
  static var testValue: Value { get }
}

struct DependencyValues: Sendable {
  @TaskLocal static var current = Self()

  private var storage: [ObjectIdentifier: any Sendable] = [:]

  subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    get { storage[ObjectIdentifier(key)] as? Key.Value ?? key.testValue }
    set { storage[ObjectIdentifier(key)] = newValue }
  }
}

@propertyWrapper
struct Dependency<Value> {
  private let initialValues = DependencyValues.current
  private let keyPath: any KeyPath<DependencyValues, Value> & Sendable

  init(_ keyPath: any KeyPath<DependencyValues, Value> & Sendable) {
    self.keyPath = keyPath
  }

  var wrappedValue: Value { initialValues[keyPath: keyPath] }
}

func withDependencies<R>(
  _ updateValuesForOperation: (inout DependencyValues) throws -> Void,
  operation: () throws -> R
) rethrows -> R {
  var values = DependencyValues.current
  try updateValuesForOperation(&values)
  return try DependencyValues.$current.withValue(values, operation: operation)
}
