import CustomDump
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleCore

/// The casts rest on how closures are represented and called. If a compiler changes that, the words of
/// a closure change, or these calls pass the wrong arguments, release too much or too little, or crash.
@Suite("Casts of closures")
@MainActor
struct ClosureCastsTests {
  private final class Owner {
    let name: String
    init(_ name: String) { self.name = name }
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

  @Test("A main-actor closure receives the event and its owner")
  func arguments() {
    var received: [LifecycleEvent] = []
    let body: @Sendable (LifecycleEvent) -> Void = onMainActor { received.append($0) }
    body(event)
    body(event)
    expectNoDifference(received, [event, event])
    var owners: [String] = []
    let erased: @Sendable (AnyObject, LifecycleEvent) -> Void = onMainActor {
      (owner: Owner, event: LifecycleEvent) in
      owners.append("\(owner.name) \(event.sequenceNumber) \(event.metadata["reason"] ?? "")")
    }
    erased(Owner("erased"), event)
    expectNoDifference(owners, ["erased 7 a text that is too long for a small string"])
  }

  @Test("A cast closure retains nothing, and is released once")
  func retainCounts() {
    weak var weakCanary: Canary?
    weak var weakOwner: Owner?
    do {
      let canary = Canary()
      weakCanary = canary
      let owner = Owner("owner")
      weakOwner = owner
      let erased = onMainActor { (owner: Owner, _: LifecycleEvent) in _ = (canary, owner.name) }
      for _ in 1...1_000 { erased(owner, event) }
      expectNoDifference(owner.name, "owner")
    }
    #expect(weakCanary == nil)
    #expect(weakOwner == nil)
  }

  #if !DEBUG
    // Fields of structs: nothing wraps a closure on its way into one or out of it. Code that is not
    // optimized wraps a closure on its way into `unsafeBitCast`.
    private struct Body { let body: @MainActor (LifecycleEvent) -> Void }
    private struct CastBody { let body: @Sendable (LifecycleEvent) -> Void }

    /// The two words of a closure: its function and its context.
    private func words(_ body: some Any) -> [UInt] {
      let (function, context) = unsafeBitCast(body, to: (UInt, UInt).self)
      return [function, context]
    }

    @Test("The cast changes neither the function nor the context of a closure")
    func representation() {
      let canary = Canary()
      let event = Body { _ in canary.sing() }
      expectNoDifference(words(CastBody(body: onMainActor(event.body))), words(event))
    }
  #endif
}
