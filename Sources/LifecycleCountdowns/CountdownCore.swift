import ReactiveLifecycle

/// The part of a countdown that the queue refers to.
///
/// It outlives the ``Countdown`` for as long as the queue or a subscriber refers to it.
///
/// `@unchecked Sendable`: mutable state is accessed only under the lock of the queue. Release
/// builds therefore skip the run-time check for exclusive access where it would take long: for
/// `machine`, 24 % of the instructions of a start (`start-countdown`), and for `rows`, 7 %. Debug
/// builds, and so the tests, make the check.
package final class CountdownCore: @unchecked Sendable {
  package let queue: CountdownQueue
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  var machine: CountdownMachine
  /// The moment at which the queue examines the countdown next, given by its valid entry;
  /// `CountdownHeap.none` for never.
  var wake = CountdownHeap.none
  /// The number of its latest start or cancellation among those of the queue.
  ///
  /// It orders countdowns that are due at the same moment.
  var order: Int64 = 0
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  var rows: ContiguousArray<FeatureRow<Countdown.State>> = []
  /// The subscribers of the ends.
  var endRows: ContiguousArray<FeatureRow<Countdown.State>> = []
  /// The number of rows that may be dead, among those of the states.
  var deadRows: Int32 = 0
  var isReleased = false
  /// A mark that the heap uses while it searches its entries.
  var isMarked = false

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

extension CountdownCore: FeatureStream {
  func join(_ row: FeatureRow<Countdown.State>) {
    let (state, isLast) = queue.join(row, self)
    row.offerFirst(state)
    if isLast { row.finish() }
  }

  func leave(_ row: FeatureRow<Countdown.State>) {
    queue.leave(self)
  }
}
