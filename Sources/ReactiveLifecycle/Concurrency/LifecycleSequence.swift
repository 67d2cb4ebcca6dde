import LifecycleSupport

/// A stream of a bus as an asynchronous sequence, made with
/// ``LifecyclePublisher/asyncSequence(buffering:fileID:line:)``.
///
/// The sequence listens from its creation, and keeps the values that arrive before the loop begins.
/// The first iterator takes them over. Each further iterator listens from its own creation, and
/// receives every value from then on. The sequence ends after `willTerminate`, or when the bus is
/// released, after the last buffered value.
///
/// The bus stops keeping values for an iterator when the iterator is released, for example by a
/// `break` out of the loop, or when its task is cancelled: at once if the task waits for a value,
/// otherwise when it requests the next value, which is nil. The bus stops keeping values for a
/// sequence that is released without having been iterated. Neither keeps the bus alive.
public struct LifecycleSequence<Element: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = Never

  private let listen: @Sendable () -> SequenceListener<Element>
  private let first: First

  /// The values buffered for the first iterator, until there is one.
  private final class First: Sendable {
    private let listener: Locked<SequenceListener<Element>?>

    init(_ listener: SequenceListener<Element>) {
      self.listener = Locked(listener)
    }

    func take() -> SequenceListener<Element>? {
      listener.take()
    }
  }

  init(_ listen: @escaping @Sendable () -> SequenceListener<Element>) {
    self.listen = listen
    first = First(listen())
  }

  /// Stops listening, and releases the values that were kept. An iterator that is made later
  /// listens from its own creation.
  func stopListening() {
    _ = first.take()
  }

  /// Returns an iterator, which listens separately. Thread-safe.
  public func makeAsyncIterator() -> Iterator {
    Iterator(first.take() ?? listen())
  }

  /// One consumer of the sequence, which receives every value.
  ///
  /// Use an iterator from one task at a time.
  public struct Iterator: AsyncIteratorProtocol {
    private var listener: SequenceListener<Element>?

    fileprivate init(_ listener: SequenceListener<Element>) {
      self.listener = listener
    }

    /// Returns the next value; nil after the last value, and whenever the task has been cancelled,
    /// even if values are buffered.
    ///
    /// - Parameter isolation: The caller's actor, on which this call returns.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async -> Element? {
      guard !Task.isCancelled, let value = await listener?.next(isolation: isolation) else {
        // The listener leaves the bus when its last reference is released.
        listener = nil
        return nil
      }
      return value
    }
  }
}
