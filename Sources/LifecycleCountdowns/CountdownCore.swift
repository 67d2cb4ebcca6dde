import ReactiveLifecycle

/// The part of a countdown that the queue refers to.
///
/// It outlives the ``Countdown`` for as long as the queue or a subscriber refers to it.
///
/// `@unchecked Sendable`: mutable state is accessed only under the lock of the queue. The run-time
/// check for exclusive access is therefore disabled: it would take a quarter of the time of a
/// start.
package final class CountdownCore: @unchecked Sendable {
  package let queue: CountdownQueue
  @exclusivity(unchecked) var machine: CountdownMachine
  /// The moment at which the queue examines the countdown next, given by its valid entry;
  /// `CountdownHeap.none` for never.
  @exclusivity(unchecked) var wake = CountdownHeap.none
  /// The number of its latest start or cancellation among those of the queue.
  ///
  /// It orders countdowns that are due at the same moment.
  @exclusivity(unchecked) var order: Int64 = 0
  @exclusivity(unchecked) var rows: ContiguousArray<FeedRow<Countdown.State>> = []
  /// The number of rows that may be dead.
  @exclusivity(unchecked) var deadRows: Int32 = 0
  @exclusivity(unchecked) var isReleased = false
  /// A mark that the heap uses while it searches its entries.
  @exclusivity(unchecked) var isMarked = false

  init(queue: CountdownQueue, machine: CountdownMachine) {
    self.queue = queue
    self.machine = machine
  }

  var state: Countdown.State { queue.state(of: self) }

  func perform(
    endsRun: Bool = false,
    _ command: @Sendable (inout CountdownMachine, _ now: Int64) -> Countdown.State?
  ) {
    queue.perform(on: self, endsRun: endsRun, command)
  }
}

extension CountdownCore: StreamFeed {
  func join(_ row: FeedRow<Countdown.State>) {
    let (state, isLast) = queue.join(row, self)
    row.offerFirst(state)
    if isLast { row.finish() }
  }

  func leave(_ row: FeedRow<Countdown.State>) {
    queue.leave(self)
  }
}
