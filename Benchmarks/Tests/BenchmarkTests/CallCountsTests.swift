import Testing

@testable import BenchmarkSupport

@Suite("Call counts")
struct CallCountsTests {
  @Test("The observer that missed an event is named")
  func missedEvent() {
    let counts = CallCounts(observers: 3)
    for slot in counts.all { slot.increment() }
    for slot in counts.all.prefix(2) { slot.increment() }

    #expect(throws: CallMismatch(observer: 2, expected: 2, actual: 1)) {
      try counts.check(expected: 2)
    }
  }

  @Test("An observer that was called too often is named")
  func calledTooOften() {
    let counts = CallCounts(observers: 2)
    counts.all[1].increment()

    #expect(throws: CallMismatch(observer: 1, expected: 0, actual: 1)) {
      try counts.check(expected: 0)
    }
  }

  @Test("Equal counts pass")
  func equalCounts() throws {
    let counts = CallCounts(observers: 2)
    for slot in counts.all { slot.increment() }

    try counts.check(expected: 1)
  }

  @Test("Atomic counts name the observer too")
  func atomicCounts() {
    let counts = AtomicCallCounts(observers: 2)
    counts.all[0].increment()

    #expect(throws: CallMismatch(observer: 1, expected: 1, actual: 0)) {
      try counts.check(expected: 1)
    }
  }
}
