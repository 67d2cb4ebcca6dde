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
      expectNoDifference(owner.name, "owner")
    }
    #expect(weakCanary == nil)
    #expect(weakOwner == nil)
  }

  // MARK: Representation

  // Fields of structs that are not generic: nothing wraps a closure on its way into one or out of it.
  private final class FinalOwner {}
  private class Superclass {}
  private final class Subclass: Superclass {}
  private final class GenericOwner<Value> {}
  private actor ActorOwner {}
  private final class ObjectOwner: NSObject {}

  private struct EventBody { let body: @MainActor (LifecycleEvent) -> Void }
  private struct CastEventBody { let body: @Sendable (LifecycleEvent) -> Void }
  private struct FinalBody { let body: @MainActor (FinalOwner, LifecycleEvent) -> Void }
  private struct ClassBody { let body: @MainActor (Superclass, LifecycleEvent) -> Void }
  private struct SubclassBody { let body: @MainActor (Subclass, LifecycleEvent) -> Void }
  private struct GenericBody { let body: @MainActor (GenericOwner<Int>, LifecycleEvent) -> Void }
  private struct ActorBody { let body: @MainActor (ActorOwner, LifecycleEvent) -> Void }
  private struct ObjectBody { let body: @MainActor (ObjectOwner, LifecycleEvent) -> Void }
  private struct AnyBody { let body: @MainActor (AnyObject, LifecycleEvent) -> Void }
  private struct ErasedBody { let body: @Sendable (AnyObject, LifecycleEvent) -> Void }

  /// The two words of a closure: its function and its context.
  private func words(_ body: some Any) -> [UInt] {
    let (function, context) = unsafeBitCast(body, to: (UInt, UInt).self)
    return [function, context]
  }

  #if !DEBUG
    // Code that is not optimized wraps the closure on its way into `unsafeBitCast`. As the field of a
    // struct it would not, but that costs each subscription 30 to 47 instructions.
    @Test("The cast of an event closure changes neither its function nor its context")
    func wordsOfEventClosure() {
      let canary = Canary()
      let event = EventBody { _ in canary.sing() }
      expectNoDifference(words(CastEventBody(body: onMainActor(event.body))), words(event))
    }
  #endif

  @Test("The casts of an owner's closure change neither its function nor its context")
  func wordsOfOwnerClosure() {
    let canary = Canary()
    func erased<Owner: AnyObject>(
      _ body: @escaping @MainActor (Owner, LifecycleEvent) -> Void
    ) -> [UInt] {
      words(ErasedBody(body: erasingOwner(onMainActor(body))))
    }
    let final = FinalBody { _, _ in canary.sing() }
    expectNoDifference(erased(final.body), words(final))
    let superclass = ClassBody { _, _ in canary.sing() }
    expectNoDifference(erased(superclass.body), words(superclass))
    let subclass = SubclassBody { _, _ in canary.sing() }
    expectNoDifference(erased(subclass.body), words(subclass))
    let generic = GenericBody { _, _ in canary.sing() }
    expectNoDifference(erased(generic.body), words(generic))
    let actor = ActorBody { _, _ in canary.sing() }
    expectNoDifference(erased(actor.body), words(actor))
    let object = ObjectBody { _, _ in canary.sing() }
    expectNoDifference(erased(object.body), words(object))
    let any = AnyBody { _, _ in canary.sing() }
    expectNoDifference(erased(any.body), words(any))
  }
}
