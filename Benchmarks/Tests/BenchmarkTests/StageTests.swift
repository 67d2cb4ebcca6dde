import Testing

@testable import BenchmarkSupport

@Suite("Stage")
struct StageTests {
  @Test("A row in which an observer is dropped fails its check")
  func droppedObserver() throws {
    let calls = CallCounts(observers: 2)
    let fixture = Fixture(keeping: calls) { count in
      for _ in 0..<count { calls.all[0].increment() }
    } check: { operations in
      try calls.check(expected: operations)
    }
    let stage = Stage()
    let row = Row(
      RowID("peer", "form", .send, 2),
      operations: 5,
      stage: stage,
      makeFixture: { fixture }
    )
    stage.enter(row) { fixture }
    stage.operate(5)

    #expect(throws: CallMismatch(observer: 1, expected: 5, actual: 0)) { try stage.check() }
  }

  @Test("The same row keeps its fixture, another one replaces it")
  func fixtureOfARow() {
    let stage = Stage()
    var made = 0
    func makeFixture() -> Fixture {
      made += 1
      return Fixture(keeping: (), operate: { _ in }, check: { _ in })
    }
    let rows = [1, 2].map { size in
      Row(
        RowID("peer", "form", .send, size),
        operations: 1,
        stage: stage,
        makeFixture: makeFixture
      )
    }
    for row in [rows[0], rows[0], rows[1]] { stage.enter(row, makeFixture) }

    #expect(made == 2)
  }
}
