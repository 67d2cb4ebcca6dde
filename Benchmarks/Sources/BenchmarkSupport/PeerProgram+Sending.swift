/// Observers that are ready, and how an event is sent to them.
public struct SendingFixture {
  let kept: Any
  let send: (_ count: Int) -> Void

  /// - Parameters:
  ///   - kept: What the observers live as long as.
  ///   - send: Sends that many events, and returns when all observers have been called.
  public init(keeping kept: Any, send: @escaping (_ count: Int) -> Void) {
    self.kept = kept
    self.send = send
  }
}

extension PeerProgram {
  /// Adds a row for each number of observers.
  ///
  /// - Parameters:
  ///   - form: How the observers are registered.
  ///   - counts: The numbers of observers.
  ///   - calls: How many calls an iteration has, about, unless that takes too many events.
  ///   - callsPerEvent: How often an event calls each observer.
  ///   - callsBefore: How often each observer is called when it is registered.
  ///   - prepare: Registers an observer for each slot.
  public func addSending(
    _ form: String,
    to counts: [Int] = BenchmarkOperation.send.sizes,
    calls: Int = 1_000,
    callsPerEvent: Int = 1,
    callsBefore: Int = 0,
    prepare: @escaping (_ slots: [CallSlot]) -> SendingFixture
  ) {
    for count in counts {
      add(form, .send, size: count, operations: min(4_000, max(1, calls / count))) {
        let calls = CallCounts(observers: count)
        let fixture = prepare(calls.all)
        return Fixture(keeping: (calls, fixture.kept), operate: fixture.send) { operations in
          try calls.check(expected: callsBefore + operations * callsPerEvent)
        }
      }
    }
  }
}
