import LifecycleTesting
import ReactiveLifecycle
import XCTest

/// A lifecycle that is made for each test in `setUp`, as a user writes it.
@MainActor
final class XCTestSetUpTests: XCTestCase {
  private var lifecycle: ScriptedLifecycle!
  private var returns = 0

  override func setUp() async throws {
    lifecycle = ScriptedLifecycle()
    await lifecycle.perform(.launch, .becomeActive)
  }

  override func tearDown() async throws {
    lifecycle = nil
  }

  func testReturn() async {
    let scope = LifecycleScope()
    lifecycle.bus.onReturn(in: scope) { _ in self.returns += 1 }
    await lifecycle.perform(.background(for: .seconds(90)))
    XCTAssertEqual(returns, 1)
    scope.end()
  }

  func testEachTestHasItsOwn() async {
    XCTAssertEqual(lifecycle.bus.phase, .active)
    XCTAssertEqual(returns, 0)
    XCTAssertEqual(lifecycle.clock.elapsed, .zero)
  }
}
