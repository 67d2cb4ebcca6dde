public enum Publishers {}

/// What the publishers of operators have in common, which the framework declares in each.
public protocol PublisherOfUpstream: Publisher {
  associatedtype Upstream: Publisher
}

extension PublisherOfUpstream {
  public typealias Output = Upstream.Output
  public typealias Failure = Upstream.Failure
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Self.Output, S.Failure == Self.Failure {
    fatalError()
  }
}

extension Publishers {
  public struct Map<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      fatalError()
    }
  }

  public struct CompactMap<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      fatalError()
    }
  }

  public struct Filter<Upstream: Publisher>: PublisherOfUpstream {}
  public struct RemoveDuplicates<Upstream: Publisher>: PublisherOfUpstream {}
  public struct HandleEvents<Upstream: Publisher>: PublisherOfUpstream {}
  public class Autoconnect<Upstream: ConnectablePublisher>: PublisherOfUpstream {}
}

public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  public typealias Output = DeferredPublisher.Output
  public typealias Failure = DeferredPublisher.Failure
  public init(createPublisher: @escaping () -> DeferredPublisher) { fatalError() }
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == DeferredPublisher.Output, S.Failure == DeferredPublisher.Failure {
    fatalError()
  }
}

public struct AnyPublisher<Output, Failure: Error>: Publisher, CustomStringConvertible {
  // A reference, as in the framework: the type is not Sendable.
  private final class Box {}
  private let box: Box
  public var description: String { fatalError() }
  public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    fatalError()
  }
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    fatalError()
  }
}

public final class PassthroughSubject<Output, Failure: Error>: Subject {
  public init() { fatalError() }
  public func send(subscription: any Subscription) { fatalError() }
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    fatalError()
  }
  public func send(_ input: Output) { fatalError() }
  public func send(completion: Subscribers.Completion<Failure>) { fatalError() }
}

public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  public var value: Output {
    get { fatalError() }
    set { fatalError() }
  }
  public init(_ value: Output) { fatalError() }
  public func send(subscription: any Subscription) { fatalError() }
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    fatalError()
  }
  public func send(_ input: Output) { fatalError() }
  public func send(completion: Subscribers.Completion<Failure>) { fatalError() }
}

public final class ObservableObjectPublisher: Publisher {
  public typealias Output = Void
  public typealias Failure = Never
  public init() { fatalError() }
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Void, S.Failure == Never {
    fatalError()
  }
  public func send() { fatalError() }
}

@propertyWrapper public struct Published<Value> {
  private var value: Value
  public init(wrappedValue: Value) { fatalError() }

  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { fatalError() }
    set { fatalError() }
  }

  public struct Publisher: Combine.Publisher {
    public typealias Output = Value
    public typealias Failure = Never
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Value, S.Failure == Never {
      fatalError()
    }
  }

  public var projectedValue: Publisher {
    mutating get { fatalError() }
    set { fatalError() }
  }

  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value {
    get { fatalError() }
    set { fatalError() }
  }
}

public protocol ConnectablePublisher<Output, Failure>: Publisher {
  func connect() -> any Cancellable
}

extension ConnectablePublisher {
  public func autoconnect() -> Publishers.Autoconnect<Self> { fatalError() }
}
