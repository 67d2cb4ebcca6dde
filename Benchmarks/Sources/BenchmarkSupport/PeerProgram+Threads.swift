/// Observers that are ready, and how several threads send to them.
public struct ThreadedFixture {
  let send: @Sendable (_ count: Int) -> Void
  let check: (_ expected: Int) throws -> Void

  /// - Parameters:
  ///   - send: Sends that many events. Called on every thread at once.
  ///   - check: Throws unless each observer was called that often. Keeps the observers alive.
  public init(
    send: @escaping @Sendable (_ count: Int) -> Void,
    check: @escaping (_ expected: Int) throws -> Void
  ) {
    self.send = send
    self.check = check
  }
}

extension PeerProgram {
  /// How many observers the threads send to.
  public static let observersOfThreads = 10

  /// Adds a row for each number of threads that send at once.
  ///
  /// - Parameters:
  ///   - form: How the observers are registered.
  ///   - prepare: Registers ten observers.
  public func addSendingFromThreads(
    _ form: String,
    prepare: @escaping () -> ThreadedFixture
  ) {
    for count in BenchmarkOperation.sendFromThreads.sizes {
      add(form, .sendFromThreads, size: count, operations: 4_000) {
        let fixture = prepare()
        let threads = SendingThreads(count, send: fixture.send)
        return Fixture(keeping: threads, operate: threads.send, check: fixture.check)
      }
    }
  }
}
