import LifecycleTesting
import ReactiveLifecycle
import XCTest

// The article *Testing your view model*, where it is about XCTest.

final class OfferTests: XCTestCase {
  @MainActor
  func testAway() async {
    let lifecycle = ScriptedLifecycle()
    let offer = Offer(on: lifecycle.bus)
    lifecycle.perform(.launch, .becomeActive)
    lifecycle.expect(offer, after: .background(for: .seconds(90))) {
      $0.remaining = 210
      $0.returns = 1
    }
  }
}
