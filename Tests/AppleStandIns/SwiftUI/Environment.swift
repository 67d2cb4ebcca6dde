public import Combine

public protocol DynamicProperty {}

public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

public struct EnvironmentValues: CustomStringConvertible {
  public init() { fatalError() }
  public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
    get { fatalError() }
    set { fatalError() }
  }
  public var description: String { fatalError() }
}

@available(*, unavailable)
extension EnvironmentValues: Sendable {}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
extension EnvironmentValues {
  public var scenePhase: ScenePhase {
    get { fatalError() }
    set { fatalError() }
  }
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
public enum ScenePhase: Comparable, Hashable, Sendable {
  case background
  case inactive
  case active
}

@propertyWrapper public struct Environment<Value>: DynamicProperty {
  private enum Content: @unchecked Sendable {
    case keyPath(KeyPath<EnvironmentValues, Value>)
    case value(Value)
  }
  private var content: Content
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { fatalError() }
  public var wrappedValue: Value { fatalError() }
}

extension Environment: Sendable where Value: Sendable {}

@propertyWrapper public struct State<Value>: DynamicProperty {
  private var value: Value
  public init(wrappedValue value: Value) { fatalError() }
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set { fatalError() }
  }
}

extension State: Sendable where Value: Sendable {}

@MainActor @preconcurrency @propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
  @MainActor @preconcurrency public var wrappedValue: ObjectType
  public init(wrappedValue: ObjectType) { fatalError() }
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
@MainActor @preconcurrency @propertyWrapper
public struct StateObject<ObjectType: ObservableObject>: DynamicProperty {
  nonisolated public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) {
    fatalError()
  }
  @MainActor @preconcurrency public var wrappedValue: ObjectType { fatalError() }
}
