import CustomDump
import ExpectationModels
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("A release is expected")
@MainActor
struct ExpectReleasedTests {
  @Test("An object that nothing else holds is released")
  func unheldObjectIsReleased() {
    let bus = LifecycleBus(clock: ManualClock())
    var model: RentalModel? = RentalModel(bus)
    weak let released = model
    expectReleased(&model)
    #expect(model == nil && released == nil)
    expectNoLiveSubscriptions(of: bus)
  }

  @Test(
    "An object that something holds is reported, with the type that it has, at the caller's line"
  )
  func heldObjectIsReported() async {
    let holder = HeldModel()
    var model: AnyObject? = holder
    var line = 0
    let found = await complaints {
      line = #line + 1
      expectReleased(&model)
    }
    expectNoDifference(
      found,
      [Complaint("HeldModel was not released: something else still holds it.", line: line)]
    )
    #expect(model == nil)
    withExtendedLifetime(holder) {}
  }

  @Test("An object that an observer holds is reported with the live subscriptions")
  func heldByObserver() async {
    let bus = LifecycleBus(clock: ManualClock())
    var model: HeldModel? = HeldModel()
    let line = #line + 1
    let token = bus.addObserver { [model] _ in model?.count += 1 }
    let found = await complaints { expectReleased(&model, of: bus) }
    expectNoDifference(
      found.map(\.message),
      [
        """
        HeldModel was not released: something else still holds it. It may be one of the bus's live \
        subscriptions:

          • LifecycleTestingTests/ExpectReleasedTests.swift:\(line), for 0 s
        """
      ]
    )
    token.cancel()
  }

  @Test("Without live subscriptions it says so")
  func noSubscription() async {
    let holder = ScriptedLifecycle()
    var model: HeldModel? = HeldModel()
    holder.keep(model as Any)
    let found = await complaints { expectReleased(&model, of: holder.bus) }
    expectNoDifference(
      found.map(\.message),
      [
        """
        HeldModel was not released: something else still holds it. The bus has no live \
        subscriptions.
        """
      ]
    )
    withExtendedLifetime(holder) {}
  }

  @Test("A reference that was nil already fails")
  func alreadyNil() async {
    var model: HeldModel?
    var line = 0
    let found = await complaints {
      line = #line + 1
      expectReleased(&model)
    }
    expectNoDifference(
      found,
      [
        Complaint(
          """
          There is no HeldModel to release: the reference is already nil. Pass a variable that \
          holds the object.
          """,
          line: line
        )
      ]
    )
  }

  @Test("An object that only an unowned or weak reference names is released")
  func weakReferences() {
    var model: HeldModel? = HeldModel()
    weak let weakModel = model
    let read: () -> Int? = { [weak model] in model?.count }
    expectReleased(&model)
    #expect(weakModel == nil && read() == nil)
  }
}

@MainActor
private final class HeldModel {
  var count = 0
}
