import CustomDump
import LifecycleTesting
import TestSupport
import Testing

@testable import ReactiveLifecycle

/// The casts rest on how closures are represented and called. If a compiler changes that, these calls
/// pass the wrong arguments, release too much or too little, or crash.
@Suite("Casts of closures")
@MainActor
struct ClosureCastsTests {
  private final class Owner {
    let name: String
    init(_ name: String) { self.name = name }
  }

  private struct Unexpected: Error, Equatable {
    let number: Int
  }

  private let event = LifecycleEvent(
    kind: .didEnterBackground,
    previousPhase: .active,
    phase: .background,
    sequenceNumber: 7,
    instant: ManualClock().now,
    origin: .manual,
    metadata: ["reason": "a text that is too long for a small string"]
  )

  @Test("A main-actor closure passes its result on")
  func resultOfMainActorClosure() {
    var calls = 0
    let body: @Sendable () -> [String] = onMainActor {
      calls += 1
      return ["call \(calls), with a text that is too long for a small string"]
    }
    _ = body()
    expectNoDifference(body(), ["call 2, with a text that is too long for a small string"])
  }

  @Test("A main-actor closure passes its result or its error on")
  func errorOfMainActorClosure() throws {
    var calls = 0
    let body: @Sendable () throws -> Int = onMainActor {
      calls += 1
      guard calls > 1 else { throw Unexpected(number: calls) }
      return calls
    }
    #expect(throws: Unexpected(number: 1)) { try body() }
    expectNoDifference(try body(), 2)
  }

  @Test("A main-actor closure receives the event")
  func eventOfMainActorClosure() {
    var received: [LifecycleEvent] = []
    let body: @Sendable (LifecycleEvent) -> Void = onMainActor { received.append($0) }
    body(event)
    body(event)
    expectNoDifference(received, [event, event])
  }

  @Test("A main-actor closure receives its owner and the event, with and without the owner's type")
  func ownerOfMainActorClosure() {
    var received: [String] = []
    let typed: @Sendable (Owner, LifecycleEvent) -> Void = onMainActor { owner, event in
      received.append("\(owner.name) \(event.sequenceNumber) \(event.metadata["reason"] ?? "")")
    }
    let erased = erasingOwner(typed)
    typed(Owner("typed"), event)
    erased(Owner("erased"), event)
    let text = "7 a text that is too long for a small string"
    expectNoDifference(received, ["typed \(text)", "erased \(text)"])
  }

  @Test("A main-actor closure receives the stay, and what was captured or nil")
  func capturedOfMainActorClosure() {
    var received: [String] = []
    let body: @Sendable (BackgroundStay, [String]?) -> Void = onMainActor { stay, captured in
      received.append("\(stay.duration) \(captured?.joined() ?? "nothing")")
    }
    let clock = ManualClock()
    let entered = clock.now
    clock.advance(by: .seconds(90))
    let stay = BackgroundStay(from: entered, to: clock.now)
    body(stay, ["captured, and too long for a small string"])
    body(stay, nil)
    expectNoDifference(
      received,
      ["90.0 seconds captured, and too long for a small string", "90.0 seconds nothing"]
    )
  }

  @Test("Calls and casts keep nothing, and release what they are given once")
  func retainCounts() {
    weak var weakCanary: Canary?
    weak var weakOwner: Owner?
    do {
      let canary = Canary()
      weakCanary = canary
      let owner = Owner("owner")
      weakOwner = owner
      let erased = erasingOwner(
        onMainActor { (owner: Owner, _: LifecycleEvent) in _ = (canary, owner.name) }
      )
      for _ in 1...1_000 { erased(owner, event) }
      #expect(owner.name == "owner")
    }
    #expect(weakCanary == nil)
    #expect(weakOwner == nil)
  }
}
