extension TerminalSession {
  /// The bytes that arrive at the terminal, without the reports of the focus.
  ///
  /// An element is everything that has arrived since the last one. The sequence ends when the
  /// session is closed, and when the terminal has hung up. It does not end when the process ends,
  /// by a signal or by `exit`: a loop over it waits until that has happened.
  ///
  /// If the program reads slowly, the session keeps 64 KiB, and then leaves the input in the
  /// terminal, together with the reports of the focus, until the program reads again. Two loops
  /// share the input: each byte is received by one of them. A sequence and its iterators keep the
  /// session.
  public struct Input: AsyncSequence, Sendable {
    public typealias Failure = Never

    /// Kept, because the release of a session would end the input.
    let session: TerminalSession

    /// Returns an iterator. Thread-safe.
    public func makeAsyncIterator() -> Iterator { Iterator(session: session) }

    /// A reader of the input.
    public struct Iterator: AsyncIteratorProtocol {
      let session: TerminalSession

      /// Returns the bytes that have arrived; nil after the end, and if the task is cancelled.
      ///
      /// - Parameter isolation: The caller's actor, on which this call returns.
      public mutating func next(
        isolation: isolated (any Actor)? = #isolation
      ) async -> [UInt8]? {
        await session.core.nextInput(isolation: isolation)
      }
    }
  }
}
