public enum Subscribers {}

extension Subscribers {
  @frozen
  public struct Demand: Equatable, Comparable, Hashable, Codable, Sendable,
    CustomStringConvertible
  {
    let rawValue: UInt
    public static let unlimited: Subscribers.Demand = { fatalError() }()
    public static let none: Subscribers.Demand = { fatalError() }()
    public static func max(_ value: Int) -> Subscribers.Demand { fatalError() }
    public var max: Int? { fatalError() }
    public var description: String { fatalError() }

    public static func + (lhs: Subscribers.Demand, rhs: Subscribers.Demand) -> Subscribers.Demand {
      fatalError()
    }
    public static func += (lhs: inout Subscribers.Demand, rhs: Subscribers.Demand) { fatalError() }
    public static func -= (lhs: inout Subscribers.Demand, rhs: Int) { fatalError() }
    public static func < (lhs: Subscribers.Demand, rhs: Subscribers.Demand) -> Bool { fatalError() }
  }

  @frozen public enum Completion<Failure: Error>: Sendable {
    case finished
    case failure(Failure)
  }

  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, CustomStringConvertible {
    public var receiveValue: (Input) -> Void { fatalError() }
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void { fatalError() }
    public var description: String { fatalError() }
    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void
    ) {
      fatalError()
    }
    public func receive(subscription: any Subscription) { fatalError() }
    public func receive(_ value: Input) -> Subscribers.Demand { fatalError() }
    public func receive(completion: Subscribers.Completion<Failure>) { fatalError() }
    public func cancel() { fatalError() }
  }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}

public struct AnySubscriber<Input, Failure: Error>: Subscriber {
  // References, as in the framework: the type is not Sendable.
  private final class Box {}
  private let box: Box
  public let combineIdentifier: CombineIdentifier
  public init<S: Subscriber>(_ s: S) where S.Input == Input, S.Failure == Failure { fatalError() }
  public init(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveValue: ((Input) -> Subscribers.Demand)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
  ) {
    fatalError()
  }
  public func receive(subscription: any Subscription) { fatalError() }
  public func receive(_ value: Input) -> Subscribers.Demand { fatalError() }
  public func receive(completion: Subscribers.Completion<Failure>) { fatalError() }
}

public final class AnyCancellable: Cancellable, Hashable {
  public init(_ cancel: @escaping () -> Void) { fatalError() }
  public init<C: Cancellable>(_ canceller: C) { fatalError() }
  public func cancel() { fatalError() }
  public func hash(into hasher: inout Hasher) { fatalError() }
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { fatalError() }
}

extension Cancellable {
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable {
    fatalError()
  }
  public func store(in set: inout Set<AnyCancellable>) { fatalError() }
}
