/// Live observers, and how another one is added and cancelled.
public struct SubscribingFixture {
  let live: SendingFixture
  let subscribeAndCancel: (_ count: Int) -> Void

  /// - Parameters:
  ///   - kept: What the live observers live as long as.
  ///   - send: Sends that many events.
  ///   - subscribeAndCancel: Adds one observer and cancels it, that often.
  public init(
    keeping kept: Any,
    send: @escaping (_ count: Int) -> Void,
    subscribeAndCancel: @escaping (_ count: Int) -> Void
  ) {
    live = SendingFixture(keeping: kept, send: send)
    self.subscribeAndCancel = subscribeAndCancel
  }
}

extension PeerProgram {
  /// Adds a row for each number of live observers.
  ///
  /// Afterwards one event must reach each live observer, and none that was cancelled.
  ///
  /// - Parameters:
  ///   - form: How the observers are registered.
  ///   - prepare: Registers an observer for each slot; the last argument is where the cancelled ones
  ///     count.
  public func addSubscribing(
    _ form: String,
    prepare: @escaping (_ slots: [CallSlot], _ cancelled: CallSlot) -> SubscribingFixture
  ) {
    for count in BenchmarkOperation.subscribe.sizes {
      add(form, .subscribe, size: count, operations: 100) {
        let calls = CallCounts(observers: count)
        let cancelledCalls = CallCounts(observers: 1)
        let fixture = prepare(calls.all, cancelledCalls.all[0])
        var checks = 0
        return Fixture(
          keeping: (calls, cancelledCalls, fixture.live.kept),
          operate: fixture.subscribeAndCancel
        ) { _ in
          checks += 1
          fixture.live.send(1)
          try calls.check(expected: checks)
          try cancelledCalls.check(expected: 0)
        }
      }
    }
  }
}
