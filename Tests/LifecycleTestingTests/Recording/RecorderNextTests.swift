import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
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
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
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

  @Test(
    "Elements are taken once and in order, by next() or all at once, and stay among the elements"
  )
  func takenOnce() async throws {
    let recorder = LifecycleRecorder(PassthroughSubject<Int, Never>(), of: bus)
    expectNoDifference(recorder.takeElements(), [])
    for value in 1...4 { recorder.record(value) }
    #expect(try await recorder.next() == 1)
    #expect(try await recorder.next() == 2)
    expectNoDifference(recorder.takeElements(), [3, 4])
    expectNoDifference(recorder.takeElements(), [])
    recorder.record(5)
    recorder.cancel()
    #expect(try await recorder.next() == 5)
    #expect(try await recorder.next() == nil)
    expectNoDifference(recorder.elements, [1, 2, 3, 4, 5])
  }

  @Test("At the end, next() returns nil to waiting and later callers")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func end() async throws {
    let publisher = RoguePublisher()
    let recorder = LifecycleRecorder(publisher, of: bus)
    publisher.send(1)
    #expect(try await recorder.next() == 1)
    let waiters = waiters(2, for: recorder)
    let end = Task(executorPreference: clock) { try await recorder.waitUntilEnd() }
    clock.advance(by: .zero)
    publisher.send(2)
    publisher.finish()
    clock.advance(by: .zero)
    #expect(try await waiters[0].value == 2)
    #expect(try await waiters[1].value == nil)
    #expect(try await recorder.next() == nil)
    // What was taken before included.
    #expect(try await end.value == [1, 2])
    #expect(try await recorder.waitUntilEnd() == [1, 2])
  }

  @Test("A failure is thrown to waiting and later callers of next(), each time")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func failure() async throws {
    let publisher = RoguePublisher()
    let recorder = LifecycleRecorder(publisher, of: bus)
    let failure = RecordedFailure(code: 3)
    let waiters = waiters(2, for: recorder)
    publisher.send(1)
    publisher.finish(.failure(failure))
    clock.advance(by: .zero)
    #expect(try await waiters[0].value == 1)
    await #expect(throws: failure) { try await waiters[1].value }
    for _ in 1...2 { await #expect(throws: failure) { try await recorder.next() } }
    await #expect(throws: failure) { try await recorder.waitUntilEnd() }
  }

  // MARK: Cancelled tasks

  @Test("A task that is cancelled while it waits takes no element from the others")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func cancelledWhile() async throws {
    let recorder = LifecycleRecorder(PassthroughSubject<Int, Never>(), of: bus)
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

  @Test("A cancelled task takes an element that is there, and does not wait")
  @MainActor
  func cancelledBefore() async throws {
    let recorder = LifecycleRecorder(PassthroughSubject<Int, Never>(), of: bus)
    recorder.record(1)
    let first = Task { try await recorder.next() }
    first.cancel()
    #expect(try await first.value == 1)
    let second = Task { try await recorder.next() }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
  }

  @Test("Tasks on any thread, cancelled at any moment, end; every element is taken once")
  func cancelledOnThreads() async {
    for _ in 0..<50 {
      let recorder = LifecycleRecorder(PassthroughSubject<Int, Never>(), of: bus)
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
}
