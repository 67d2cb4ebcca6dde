import CustomDump
import LifecycleCountdowns
import LifecycleTesting
import ReactiveLifecycle

/// A test of a view model, as a user writes it.
@MainActor
struct ExpectationSamples {
  /// A rental, and what a screen shows of it.
  @MainActor
  final class RentalViewModel {
    struct State: Equatable {
      var isShown = false
      var visits = 0
    }

    private(set) var state = State()
    private let countdown: Countdown
    var remainingSeconds: Int { Int(countdown.remaining / .seconds(1)) }

    init(seconds: Int, bus: LifecycleBus) {
      countdown = Countdown(.seconds(seconds), of: bus)
      countdown.start()
      bus.addObserver(self) { model, event in
        model.state.isShown = event.phase == .active
        if event.kind == .willEnterForeground { model.state.visits += 1 }
      }
    }
  }

  /// A screen that ends its observers when it goes, or not.
  @MainActor
  final class Screen {
    private let scope: LifecycleScope

    init(_ bus: LifecycleBus, in scope: LifecycleScope?) {
      let scope = scope ?? LifecycleScope("screen")
      self.scope = scope
      bus.addObserver(in: scope) { _ in }
    }
  }

  let lifecycle = ScriptedLifecycle()

  func model() {
    let viewModel = RentalViewModel(seconds: 300, bus: lifecycle.bus)
    lifecycle.perform(.launch, .becomeActive)
    lifecycle.expect(viewModel, after: .background(for: .seconds(90))) {
      $0.remainingSeconds -= 90
    }
    expectNoDifference(viewModel.remainingSeconds, 210)
  }

  func overview() {
    let lifecycle = ScriptedLifecycle()
    let viewModel = RentalViewModel(seconds: 300, bus: lifecycle.bus)
    lifecycle.perform(.launch, .becomeActive)
    lifecycle.expect(viewModel, after: .background(for: .seconds(90))) { $0.remainingSeconds = 210 }
    expectNoDifference(viewModel.state.visits, 2)
  }

  func value() {
    let viewModel = RentalViewModel(seconds: 300, bus: lifecycle.bus)
    lifecycle.perform(.launch, .becomeActive)
    lifecycle.expect(viewModel.state, after: .enterBackground) {
      $0.isShown = false
    }
    expectNoDifference(viewModel.state, RentalViewModel.State(isShown: false, visits: 1))
  }

  func noLiveSubscriptions(in scope: LifecycleScope? = nil) {
    let bus = lifecycle.bus
    var screen: Screen? = Screen(bus, in: scope)
    expectNoDifference(screen != nil && bus.liveSubscriptions.count == 1, true)
    screen = nil
    expectNoLiveSubscriptions(of: bus)
  }

  func noLiveSubscriptionsOfLifecycle(in scope: LifecycleScope? = nil) {
    let phases = lifecycle.record(lifecycle.bus.phases, as: "phase")
    var screen: Screen? = Screen(lifecycle.bus, in: scope)
    expectNoDifference(screen != nil && phases.elements == [.unknown], true)
    screen = nil
    expectNoLiveSubscriptions(of: lifecycle)
  }

  func released() {
    let bus = lifecycle.bus
    var viewModel: RentalViewModel? = RentalViewModel(seconds: 300, bus: bus)
    expectReleased(&viewModel, of: bus)
    expectNoDifference(viewModel == nil, true)
  }
}
