/// A countdown as the queue knows it. It outlives the ``Countdown`` for as long as the queue or a
/// subscriber refers to it.
///
/// `@unchecked Sendable`: what changes is touched only under the lock of the queue.
final class CountdownCore: @unchecked Sendable {
  let queue: CountdownQueue
  var machine: CountdownMachine
  /// When the queue looks at it next, by the entry that counts; `CountdownHeap.none` for never.
  var wake = CountdownHeap.none
  /// Which start of the queue's this was: the order of those that are due at the same moment.
  var order: Int64 = 0
  var rows: ContiguousArray<CountdownRow> = []
  /// How many of the rows may be dead.
  var deadRows: Int32 = 0
  var isReleased = false
  /// Used by the heap while it looks through its entries.
  var isMarked = false

  init(queue: CountdownQueue, machine: CountdownMachine) {
    self.queue = queue
    self.machine = machine
  }

  var state: Countdown.State { queue.state(of: self) }

  func perform(
    isStart: Bool = false,
    _ command: @Sendable (inout CountdownMachine, _ now: Int64) -> Countdown.State?
  ) {
    queue.perform(on: self, isStart: isStart, command)
  }
}
