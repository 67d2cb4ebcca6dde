import CustomDump
import Foundation
import LifecycleTesting
import TestSupport
import Testing

@testable import ReactiveLifecycle

/// The casts rest on how closures are represented and called. If a compiler changes that, the words of
/// a closure change, or these calls pass the wrong arguments, release too much or too little, or crash.
@Suite("Casts of closures")
@MainActor
struct ClosureCastsTests {
  private final class Owner {
    let name: String
    init(_ name: String) { self.name = name }
  }

  private actor ActorOwner {}
  private final class ObjectOwner: NSObject {}

  private let event = LifecycleEvent(
    kind: .didEnterBackground,
    previousPhase: .active,
    phase: .background,
    sequenceNumber: 7,
    instant: ManualClock().now,
    origin: .manual,
    metadata: ["reason": "a text that is too long for a small string"]
  )

  @Test("A main-actor closure receives the event, and its owner with and without the owner's type")
  func arguments() {
    var received: [LifecycleEvent] = []
    let body: @Sendable (LifecycleEvent) -> Void = onMainActor { received.append($0) }
    body(event)
    body(event)
    expectNoDifference(received, [event, event])
    var owners: [String] = []
    let typed: @Sendable (Owner, LifecycleEvent) -> Void = onMainActor { owner, event in
      owners.append("\(owner.name) \(event.sequenceNumber) \(event.metadata["reason"] ?? "")")
    }
    let erased = erasingOwner(typed)
    typed(Owner("typed"), event)
    erased(Owner("erased"), event)
    let text = "7 a text that is too long for a small string"
    expectNoDifference(owners, ["typed \(text)", "erased \(text)"])
  }

  @Test("A main-actor closure passes its result or its error on, and receives what was captured")
  func resultsAndCaptures() throws {
    struct Unexpected: Error, Equatable {}
    var calls = 0
    let body: @Sendable () throws -> Int = onMainActor {
      calls += 1
      guard calls > 1 else { throw Unexpected() }
      return calls
    }
    #expect(throws: Unexpected()) { try body() }
    expectNoDifference(try body(), 2)
    var received: [[String]?] = []
    let returning: @Sendable (BackgroundStay, [String]?) -> Void = onMainActor { _, captured in
      received.append(captured)
    }
    let stay = BackgroundStay(from: event.instant, to: event.instant)
    returning(stay, ["captured, and too long for a small string"])
    returning(stay, nil)
    expectNoDifference(received, [["captured, and too long for a small string"], nil])
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
      expectNoDifference(owner.name, "owner")
    }
    #expect(weakCanary == nil)
    #expect(weakOwner == nil)
  }

  // Fields of structs that are not generic: nothing wraps a closure on its way into one or out of it.
  private struct EventBody { let body: @MainActor (LifecycleEvent) -> Void }
  private struct CastEventBody { let body: @Sendable (LifecycleEvent) -> Void }
  private struct ClassBody { let body: @MainActor (Owner, LifecycleEvent) -> Void }
  private struct ActorBody { let body: @MainActor (ActorOwner, LifecycleEvent) -> Void }
  private struct ObjectBody { let body: @MainActor (ObjectOwner, LifecycleEvent) -> Void }
  private struct ErasedBody { let body: @Sendable (AnyObject, LifecycleEvent) -> Void }

  /// The two words of a closure: its function and its context.
  private func words(_ body: some Any) -> [UInt] {
    let (function, context) = unsafeBitCast(body, to: (UInt, UInt).self)
    return [function, context]
  }

  @Test("The casts change neither the function nor the context of a closure")
  func representation() {
    let canary = Canary()
    func erased<Owner: AnyObject>(
      _ body: @escaping @MainActor (Owner, LifecycleEvent) -> Void
    ) -> [UInt] {
      words(ErasedBody(body: erasingOwner(onMainActor(body))))
    }
    let object = ClassBody { _, _ in canary.sing() }
    expectNoDifference(erased(object.body), words(object))
    let actor = ActorBody { _, _ in canary.sing() }
    expectNoDifference(erased(actor.body), words(actor))
    let foundation = ObjectBody { _, _ in canary.sing() }
    expectNoDifference(erased(foundation.body), words(foundation))
    #if !DEBUG
      // Code that is not optimized wraps an event closure on its way into `unsafeBitCast`.
      let event = EventBody { _ in canary.sing() }
      expectNoDifference(words(CastEventBody(body: onMainActor(event.body))), words(event))
    #endif
  }
}
