import LifecycleTesting
import ReactiveLifecycle
import XCTest

// The article *Testing your view model*, where it is about XCTest.

@MainActor
final class OfferTests: XCTestCase {
  private var lifecycle: ScriptedLifecycle!

  override func setUp() async throws {
    lifecycle = ScriptedLifecycle()
  }

  override func tearDown() async throws {
    lifecycle = nil
  }

  func testAway() async {
    let offer = Offer(on: lifecycle.bus)
    await lifecycle.perform(.launch, .becomeActive)
    lifecycle.expect(offer, after: .background(for: .seconds(90))) {
      $0.remaining = 210
      $0.returns = 1
    }
  }
}
