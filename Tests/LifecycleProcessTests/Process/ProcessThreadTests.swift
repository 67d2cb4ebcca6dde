import CustomDump
import Dispatch
import Foundation
import LifecycleSupport
import TestSupport
import Testing

@testable import LifecycleProcess

/// Other tests of this process may use its one thread at the same time.
@Suite("The thread of the process without signals", .serialized, .startsProcesses)
struct ProcessThreadTests {
  @Test("A descriptor that becomes readable calls its watch, on the thread, each time")
  func descriptor() throws {
    let pipe = Pipe()
    let watch = TestWatch(descriptor: pipe.fileHandleForReading.fileDescriptor)
    try ProcessThread.add(watch)
    for _ in 0..<3 {
      pipe.fileHandleForWriting.write(Data([1]))
      #expect(watch.next() == .ready(Int16(POLLIN)))
    }
    ProcessThread.remove(watch)
    #expect(watch.isEmpty)
  }

  @Test("Removing a watch waits for the call that is under way, and no other follows")
  func removalWaits() throws {
    let gate = ThreadGate()
    let isOver = Locked(false)
    let watch = TestWatch(deadline: .now) { _ in
      gate.wait()
      isOver.withLock { $0 = true }
    }
    // With this one, removing the other does not end the thread, for which it would wait anyway.
    let other = TestWatch()
    try ProcessThread.add(other)
    defer { ProcessThread.remove(other) }
    try ProcessThread.add(watch)
    expectNoDifference(watch.next(), .deadline)
    let waits = openWhenRemoverWaits(gate)
    ProcessThread.remove(watch)
    #expect(isOver.withLock { $0 })
    expectNoDifference(waits.count, 1)
    #expect(watch.isEmpty)
  }

  @Test("Removing a watch waits in a task that the thread has created, too")
  func removalInTaskWaits() async throws {
    let gate = ThreadGate()
    let isOver = Locked(false)
    let (removals, removal) = AsyncStream<Bool>.makeStream()
    let watch = TestWatch(deadline: .now) { watch in
      Task { @Sendable in
        ProcessThread.remove(watch)
        removal.yield(isOver.withLock { $0 })
      }
      gate.wait()
      isOver.withLock { $0 = true }
    }
    let other = TestWatch()
    try ProcessThread.add(other)
    defer { ProcessThread.remove(other) }
    try ProcessThread.add(watch)
    let waits = openWhenRemoverWaits(gate)
    var iterator = removals.makeAsyncIterator()
    #expect(await iterator.next() == true)
    expectNoDifference(waits.count, 1)
  }

  /// Opens a gate, for which the call of a watch waits, when another thread waits for the end of
  /// that call.
  ///
  /// - Returns: How many have waited, when the gate is open: one.
  private func openWhenRemoverWaits(_ gate: ThreadGate) -> Counter {
    let waits = Counter()
    Thread {
      if eventually({ !ProcessThread.snapshot.waiters.isEmpty }) { waits.add() }
      gate.open()
    }
    .start()
    return waits
  }

  @Test("A watch may remove itself when it is called")
  func removalOnThread() throws {
    let pipe = Pipe()
    let watch = TestWatch(descriptor: pipe.fileHandleForReading.fileDescriptor) {
      ProcessThread.remove($0)
    }
    let other = TestWatch()
    try ProcessThread.add(other)
    try ProcessThread.add(watch)
    pipe.fileHandleForWriting.write(Data([1, 1]))
    expectNoDifference(watch.next(), .ready(Int16(POLLIN)))
    other.state.withLock { $0.deadline = .now }
    ProcessThread.wake()
    expectNoDifference(other.next(), .deadline)
    #expect(watch.isEmpty)
    ProcessThread.remove(other)
  }

  @Test(
    "A watch that is removed is released, at the latest when the thread has finished its turn",
    arguments: [false, true]
  )
  func release(duringTurn: Bool) throws {
    let end = ThreadGate()
    let other = TestWatch { _ in end.wait() }
    try ProcessThread.add(other)
    defer { ProcessThread.remove(other) }
    let released = DispatchSemaphore(value: 0)
    do {
      let watch = TestWatch(canary: Canary { released.signal() })
      try ProcessThread.add(watch)
      if duringTurn {
        other.state.withLock { $0.deadline = .now }
        ProcessThread.wake()
        #expect(other.next() == .deadline)
      }
      ProcessThread.remove(watch)
    }
    end.open()
    expectNoDifference(released.wait(timeout: .now() + .seconds(300)), .success)
  }

  @Test("A watch that is added while the thread takes over the engine of the signals is called")
  func watchDuringHandOver() async {
    // In a process of its own: others of this one connect its signals.
    await #expect(processExitsWith: .success) {
      let engine = TestEngine()
      try ProcessThread.handOver(engine)
      engine.isTakenOver.wait()
      let watch = TestWatch(deadline: .now)
      try ProcessThread.add(watch)
      engine.mayBegin.open()
      #expect(watch.next() == .deadline)
    }
  }

  @Test("Watches that several threads add and remove are all called")
  func comingAndGoing() async {
    let (moments, failures) = (Collector<ProcessWatchMoment?>(), Collector<any Error>())
    await awaitOtherThreads(4) { _ in
      for _ in 0..<100 {
        let watch = TestWatch(deadline: .now)
        do {
          try ProcessThread.add(watch)
          moments(watch.next())
          ProcessThread.remove(watch)
        } catch {
          failures(error)
        }
      }
    }
    #expect(failures.values.isEmpty)
    #expect(moments.values.count == 400 && moments.values.allSatisfy { $0 == .deadline })
  }
}

/// An engine that begins when a test lets it, and takes signals without handling them.
private final class TestEngine: SignalHandling {
  struct Loop: SignalHandlingLoop {
    let pipe: SignalPipe
    var isClosing: Bool { false }

    mutating func turn() { _ = pipe.takeAll() }
    mutating func nextDeadline() -> SuspendingClock.Instant? { nil }
    mutating func end() {}
  }

  let isTakenOver = DispatchSemaphore(value: 0)
  let mayBegin = ThreadGate()

  func makeLoop(_ pipe: SignalPipe, _ early: [SignalPipe.Signal]) -> any SignalHandlingLoop {
    isTakenOver.signal()
    mayBegin.wait()
    return Loop(pipe: pipe)
  }
}

/// A watch that keeps what it is called for. It reads a byte of its descriptor, and drops a
/// deadline that has passed.
private final class TestWatch: ProcessWatch {
  struct State {
    var descriptor: Int32?
    var deadline: SuspendingClock.Instant?
    var moments: [ProcessWatchMoment] = []
  }

  let state: Locked<State>
  private let called = DispatchSemaphore(value: 0)
  private let canary: Canary?
  private let body: @Sendable (TestWatch) -> Void

  init(
    descriptor: Int32? = nil,
    deadline: SuspendingClock.Instant? = nil,
    canary: Canary? = nil,
    body: @escaping @Sendable (TestWatch) -> Void = { _ in }
  ) {
    state = Locked(State(descriptor: descriptor, deadline: deadline))
    self.canary = canary
    self.body = body
  }

  var interest: ProcessWatchInterest {
    state.withLock {
      .init(descriptor: $0.descriptor, events: Int16(POLLIN), deadline: $0.deadline)
    }
  }

  func handle(_ moment: ProcessWatchMoment) {
    state.withLock { state in
      if case .ready = moment, let descriptor = state.descriptor {
        var byte: UInt8 = 0
        _ = read(descriptor, &byte, 1)
      } else {
        state.deadline = nil
      }
      state.moments.append(moment)
    }
    called.signal()
    body(self)
  }

  /// Waits for the next call.
  func next() -> ProcessWatchMoment? {
    guard called.wait(timeout: .now() + .seconds(300)) == .success else { return nil }
    return state.withLock { $0.moments.removeFirst() }
  }

  var isEmpty: Bool { state.withLock { $0.moments.isEmpty } }
}
