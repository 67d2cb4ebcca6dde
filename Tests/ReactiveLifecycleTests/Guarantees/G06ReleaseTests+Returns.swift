import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

extension G06ReleaseTests {
  /// The forms of `onReturn` with an owner: in generic code, and those of a `LifecycleBus`.
  enum OwnerForm: CaseIterable, Sendable {
    case nonisolatedBus, mainActorBus, mainActor, notSendable
  }

  /// An observer of returns whose owner the test can release.
  @MainActor
  private final class OwnedReturns {
    let bus: any LifecycleBusProtocol
    let token: LifecycleSubscription
    private(set) weak var canary: Canary?
    private var owner: AnyObject?

    init(_ form: OwnerForm, _ trace: Trace) {
      let canary = Canary()
      self.canary = canary
      let returned: @Sendable (Bool) -> Void = { isOwner in
        canary.sing()
        trace("returned, with its owner: \(isOwner)")
      }
      switch form {
      case .nonisolatedBus, .mainActorBus:
        let bus = (form == .mainActorBus ? BusKind.mainActor : .nonisolated).make()
        let owner = Owner()
        let id = ObjectIdentifier(owner)
        token = bus.onReturn(owner) { owner, _ in returned(ObjectIdentifier(owner) == id) }
        (self.bus, self.owner) = (bus, owner)
      case .mainActor:
        let bus = LifecycleBus(clock: ManualClock())
        let owner = Owner()
        let id = ObjectIdentifier(owner)
        token = bus.onReturn(owner) { owner, _ in
          MainActor.assertIsolated()
          returned(ObjectIdentifier(owner) == id)
        }
        (self.bus, self.owner) = (bus, owner)
      case .notSendable:
        let bus = LifecycleBus(clock: ManualClock())
        let owner = UnsharedOwner()
        let id = ObjectIdentifier(owner)
        token = bus.onReturn(owner) { owner, _ in returned(ObjectIdentifier(owner) == id) }
        (self.bus, self.owner) = (bus, owner)
      }
    }

    func releaseOwner() { owner = nil }
  }

  @Test(
    "The owner of an observer of returns dies: silent at once, gone at the next foreground",
    arguments: OwnerForm.allCases
  )
  func ownerOfReturnsDies(_ form: OwnerForm) {
    let trace = Trace()
    let returns = OwnedReturns(form, trace)
    returns.bus.send(all: .didEnterBackground, .willEnterForeground, .didEnterBackground)
    expectNoDifference(trace.take(), ["returned, with its owner: true"])
    #expect(returns.canary != nil)
    returns.releaseOwner()
    #expect(returns.bus.liveSubscriptions.isEmpty)
    returns.bus.send(.willEnterForeground)
    #expect(returns.canary == nil)
    #expect(!returns.token.isActive)
    expectNoDifference(trace.lines, [])
  }

  @Test(
    "The owner of an observer of returns dies: its closure is gone as others register",
    arguments: OwnerForm.allCases
  )
  func ownerOfReturnsDiesWhileOthersRegister(_ form: OwnerForm) {
    let returns = OwnedReturns(form, Trace())
    returns.releaseOwner()
    returns.bus.addObserver { _ in }.cancel()
    #expect(returns.canary == nil)
  }
}
