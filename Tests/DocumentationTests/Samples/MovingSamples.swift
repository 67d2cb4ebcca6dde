import LifecycleCombine
import LifecycleSources
import LifecycleTesting
import ReactiveLifecycle

/// An editor that saves on leaving.
@MainActor
final class EditorModel {
  private(set) var saves = 0

  init(bus: LifecycleBus = .application) {
    bus.addObserver(self, for: .didEnterBackground) { editor, _ in editor.save() }
  }

  func save() { saves += 1 }
}

/// What was written with RxAppState and with publishers of a notification centre.
@MainActor
final class MovingSamples {
  let clock = ManualClock()
  let bus: LifecycleBus
  let scope = LifecycleScope("moving")
  private(set) var output: [String] = []

  init() { bus = LifecycleBus(clock: clock) }

  private func reload() { output.append("reload") }
  private func save() { output.append("save") }
  private func show(_ phase: LifecyclePhase) { output.append("\(phase)") }

  func openings() {
    bus.publisher(for: [.didBecomeActive, .didEnterBackground], catchUp: .currentPhase)
      .map(\.kind)
      .removeDuplicates()
      .filter { $0 == .didBecomeActive }
      .sink { [weak self] _ in self?.reload() }
      .store(in: scope)
  }

  func phases() {
    bus.phases
      .sink { [weak self] phase in self?.show(phase) }
      .store(in: scope)
  }

  func events() {
    bus.publisher(for: .didEnterBackground)
      .sink { [weak self] _ in self?.save() }
      .store(in: scope)
  }

  func longAbsences() {
    bus.onReturn(in: scope) { [self] stay in
      if stay.duration > .seconds(60) { reload() }
    }
  }
}
