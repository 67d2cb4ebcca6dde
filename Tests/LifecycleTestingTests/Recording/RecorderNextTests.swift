import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Recorder: waiting for elements")
struct RecorderNextTests {
  private let clock = ManualClock()
  private let bus: NonisolatedLifecycleBus

  init() {
    bus = NonisolatedLifecycleBus(clock: clock)
  }

  /// Tasks that take an element each, and wait now. They go on inside the moves of the clock.
  private func waiters<Failure>(
    _ count: Int,
    for recorder: LifecycleRecorder<Int, Failure>
  ) -> [Task<Int?, any Error>] {
    let waiters = (0..<count).map { _ in
      Task(executorPreference: clock) { try await recorder.next() }
    }
    clock.advance(by: .zero)
    return waiters
  }

  @Test("Elements that have come are handed out in order, each once, whatever was looked at")
  func elementsComeInOrderOnce() async throws {
    let recorder = LifecycleRecorder(of: Int.self, of: bus)
    for value in 1...3 { recorder.record(value) }
    expectNoDifference(recorder.elements, [1, 2, 3])
    var taken: [Int?] = []
    for _ in 1...3 { taken.append(try await recorder.next()) }
    recorder.record(4)
    taken.append(try await recorder.next())
    expectNoDifference(taken, [1, 2, 3, 4])
    expectNoDifference(recorder.elements, [1, 2, 3, 4])
  }

  @Test("Elements are taken once, by next() or all at once; they stay among the elements")
  func takenOnce() async throws {
    let recorder = LifecycleRecorder(of: Int.self, of: bus)
    expectNoDifference(recorder.takeElements(), [])
    for value in 1...3 { recorder.record(value) }
    #expect(try await recorder.next() == 1)
    expectNoDifference(recorder.takeElements(), [2, 3])
    expectNoDifference(recorder.takeElements(), [])
    recorder.record(4)
    recorder.cancel()
    expectNoDifference(recorder.takeElements(), [4])
    #expect(try await recorder.next() == nil)
    expectNoDifference(recorder.elements, [1, 2, 3, 4])
  }

  @Test("It waits for an element")
  func waitsForElement() async throws {
    let recorder = LifecycleRecorder(of: Int.self, of: bus)
    let waiter = waiters(1, for: recorder)[0]
    recorder.record(1)
    clock.advance(by: .zero)
    #expect(try await waiter.value == 1)
  }

  @Test("Several that wait get an element each, in the order in which they came")
  func severalWaiters() async throws {
    let recorder = LifecycleRecorder(of: Int.self, of: bus)
    let waiters = waiters(3, for: recorder)
    for value in 1...3 { recorder.record(value) }
    clock.advance(by: .zero)
    var taken: [Int?] = []
    for waiter in waiters { taken.append(try await waiter.value) }
    expectNoDifference(taken, [1, 2, 3])
  }

  @Test("Of several that wait, those for whom nothing has come go on waiting")
  func oneForThree() async throws {
    let recorder = LifecycleRecorder(of: Int.self, of: bus)
    let waiters = waiters(3, for: recorder)
    recorder.record(1)
    clock.advance(by: .zero)
    #expect(try await waiters[0].value == 1)
    recorder.cancel()
    clock.advance(by: .zero)
    #expect(try await waiters[1].value == nil)
    #expect(try await waiters[2].value == nil)
  }

  @Test("After the end, what is left is handed out, then nil each time")
  func restThenNilAfterTheEnd() async throws {
    let publisher = RoguePublisher()
    let recorder = LifecycleRecorder(publisher, of: bus)
    publisher.send(1)
    publisher.finish()
    #expect(try await recorder.next() == 1)
    #expect(try await recorder.next() == nil)
    #expect(try await recorder.next() == nil)
  }

  @Test("After a failure, what is left is handed out, then the failure is thrown each time")
  func restIsHandedOutAfterFailure() async throws {
    let publisher = RoguePublisher()
    let recorder = LifecycleRecorder(publisher, of: bus)
    publisher.send(1)
    publisher.finish(.failure(RecordedFailure(code: 3)))
    #expect(try await recorder.next() == 1)
    for _ in 1...2 {
      await #expect(throws: RecordedFailure(code: 3)) { try await recorder.next() }
    }
  }

  @Test("Who waits learns of the end, and of a failure", arguments: [nil, RecordedFailure()])
  func endWhileWaiting(_ failure: RecordedFailure?) async throws {
    let publisher = RoguePublisher()
    let recorder = LifecycleRecorder(publisher, of: bus)
    let waiters = waiters(2, for: recorder)
    publisher.finish(failure.map { .failure($0) } ?? .finished)
    clock.advance(by: .zero)
    for waiter in waiters {
      switch (await waiter.result, failure) {
      case (.success(nil), nil): break
      case (.failure(let error), let failure?):
        expectNoDifference(error as? RecordedFailure, failure)
      case (let result, _): Issue.record("\(result)")
      }
    }
  }

  @Test("Waiting for the end returns everything, what was taken before included")
  func waitingForTheEnd() async throws {
    let publisher = RoguePublisher()
    let recorder = LifecycleRecorder(publisher, of: bus)
    publisher.send(1)
    #expect(try await recorder.next() == 1)
    let waiter = Task(executorPreference: clock) { try await recorder.waitUntilEnd() }
    clock.advance(by: .zero)
    publisher.send(2)
    clock.advance(by: .zero)
    publisher.finish()
    clock.advance(by: .zero)
    #expect(try await waiter.value == [1, 2])
    expectNoDifference(recorder.takeElements(), [])
    #expect(try await recorder.waitUntilEnd() == [1, 2])
  }

  @Test("Waiting for an end that is a failure throws it")
  func waitingForAFailure() async {
    let publisher = RoguePublisher()
    let recorder = LifecycleRecorder(publisher, of: bus)
    publisher.send(1)
    publisher.finish(.failure(RecordedFailure(code: 3)))
    await #expect(throws: RecordedFailure(code: 3)) { try await recorder.waitUntilEnd() }
  }

  @Test("After a cancel, what is left is handed out, then nil")
  func restThenNilAfterCancel() async throws {
    let recorder = LifecycleRecorder(of: Int.self, of: bus)
    recorder.record(1)
    recorder.cancel()
    #expect(try await recorder.next() == 1)
    #expect(try await recorder.next() == nil)
  }

  // MARK: Cancelled tasks

  @Test("A task that was cancelled before does not wait")
  @MainActor
  func cancelledBefore() async {
    let recorder = LifecycleRecorder(of: Int.self, of: bus)
    let waiter = Task { try await recorder.next() }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
  }

  @Test("A task that was cancelled before takes what is there")
  @MainActor
  func cancelledWithElement() async throws {
    let recorder = LifecycleRecorder(of: Int.self, of: bus)
    recorder.record(1)
    let waiter = Task { try await recorder.next() }
    waiter.cancel()
    #expect(try await waiter.value == 1)
  }

  @Test("A task that is cancelled while it waits waits no more, and takes nothing from the others")
  func cancelledWhile() async throws {
    let recorder = LifecycleRecorder(of: Int.self, of: bus)
    let waiters = waiters(3, for: recorder)
    waiters[1].cancel()
    clock.advance(by: .zero)
    await #expect(throws: CancellationError.self) { try await waiters[1].value }
    recorder.record(1)
    recorder.record(2)
    clock.advance(by: .zero)
    #expect(try await waiters[0].value == 1)
    #expect(try await waiters[2].value == 2)
  }

  @Test("Tasks on any thread, cancelled at any moment, end; every element is taken once")
  func cancelledOnThreads() async {
    for _ in 0..<50 {
      let recorder = LifecycleRecorder(of: Int.self, of: bus)
      let waiters = (0..<8).map { _ in Task.detached { try await recorder.next() } }
      await awaitOtherThreads(8) { index in
        if index.isMultiple(of: 2) { waiters[index].cancel() } else { recorder.record(index) }
      }
      // Four elements for eight waiters, of whom four may leave without.
      recorder.cancel()
      var taken: [Int] = []
      for waiter in waiters {
        if case .success(let value?) = await waiter.result { taken.append(value) }
      }
      expectNoDifference(Set(taken).count, taken.count)
      expectNoDifference(Set(taken).isSubset(of: [1, 3, 5, 7]), true)
    }
  }

  // MARK: Who may wait

  @Test("Elements that are not Sendable are handed out on the main actor")
  @MainActor
  func nonSendable() async throws {
    let subject = PassthroughSubject<Box, Never>()
    let recorder = LifecycleRecorder(subject, of: bus)
    let box = Box(1)
    subject.send(box)
    let next = try await recorder.next()
    #expect(next === box)
    #expect(recorder.elements.first === box)
  }

  @Test("Elements that are not Sendable are handed out in a nonisolated test")
  func nonSendableNonisolated() async throws {
    let subject = PassthroughSubject<Box, Never>()
    let recorder = LifecycleRecorder(subject, of: bus)
    subject.send(Box(1))
    let next = try await recorder.next()
    expectNoDifference(next?.value, 1)
  }
}
