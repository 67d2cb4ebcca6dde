import LifecycleSupport

/// A stream of a bus as an asynchronous sequence, made with
/// ``LifecyclePublisher/asyncSequence(buffering:fileID:line:)``.
///
/// It listens from the moment it is made, and keeps the values that arrive before the loop begins.
/// The first iterator takes them over; each further iterator listens from the moment it is made,
/// and gets every value too. It ends after `willTerminate`, or when the bus is released, after the
/// last buffered value.
///
/// The bus stops keeping values for an iterator when the iterator is released, which a `break` out
/// of the loop does; when its task is cancelled, at once if it waits for a value and else when it
/// asks for the next, which is nil; and for the sequence, when it is released without having been
/// iterated. Neither keeps the bus alive.
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

  /// An iterator, which listens separately. Thread-safe.
  public func makeAsyncIterator() -> Iterator {
    Iterator(first.take() ?? listen())
  }

  /// One consumer of the sequence, which gets every value. To be used by one task at a time.
  public struct Iterator: AsyncIteratorProtocol {
    private var listener: SequenceListener<Element>?

    fileprivate init(_ listener: SequenceListener<Element>) {
      self.listener = listener
    }

    /// The next value; nil after the last, and always once the task has been cancelled, whatever
    /// is buffered.
    ///
    /// - Parameter isolation: The caller's actor, on which this returns.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async -> Element? {
      guard !Task.isCancelled, let value = await listener?.next(isolation: isolation) else {
        // It leaves the bus with its last reference.
        listener = nil
        return nil
      }
      return value
    }
  }
}
