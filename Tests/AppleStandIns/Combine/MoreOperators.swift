extension Publisher {
  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> { fatalError() }
  public func first() -> Publishers.First<Self> { fatalError() }
  public func prefix(_ maxLength: Int) -> Publishers.Output<Self> { fatalError() }
  public func prefix<P: Publisher>(untilOutputFrom publisher: P)
    -> Publishers.PrefixUntilOutput<Self, P>
  { fatalError() }
  public func share() -> Publishers.Share<Self> { fatalError() }
}

@available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
extension Publisher where Failure == Never {
  public var values: AsyncPublisher<Self> { fatalError() }
}

extension Sequence {
  public var publisher: Publishers.Sequence<Self, Never> { fatalError() }
}

extension Publishers {
  public struct Drop<Upstream: Publisher>: PublisherOfUpstream {}
  public struct First<Upstream: Publisher>: PublisherOfUpstream {}
  public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: PublisherOfUpstream {}
  public struct Output<Upstream: Publisher>: PublisherOfUpstream {
    public typealias Output = Upstream.Output
  }
  public final class Share<Upstream: Publisher>: PublisherOfUpstream {}

  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
    public typealias Output = Elements.Element
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      fatalError()
    }
  }
}

@available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
  public typealias Element = P.Output
  public init(_ publisher: P) { fatalError() }
  public struct Iterator: AsyncIteratorProtocol {
    public mutating func next() async -> P.Output? { fatalError() }
  }
  public func makeAsyncIterator() -> Iterator { fatalError() }
}
