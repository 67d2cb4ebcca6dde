import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import Observation
import ReactiveLifecycle

@MainActor
final class RentalModel {
  struct Screen: Equatable {
    var isShown = true
    var rows: [String] = []
  }

  private(set) var remaining = Duration.seconds(300)
  private(set) var visits = 0
  var title: String?
  private(set) var screen = Screen()
  var remainingMinutes: Int { Int(remaining.components.seconds) / 60 }

  init(_ bus: LifecycleBus) {
    bus.addObserver(self, for: [.willEnterForeground]) { model, event in
      guard let stay = event.backgroundStay else { return }
      model.remaining -= stay.duration
      model.visits += 1
    }
    bus.addObserver(self) { model, event in model.screen.isShown = event.phase == .active }
  }
}

@MainActor
@Observable
final class ObservableModel {
  private(set) var isActive = true
  private(set) var events = 0
  private(set) var names: [String] = []

  subscript(number: Int) -> Int { events + number }

  init(_ bus: LifecycleBus) {
    bus.addObserver(self) { model, event in
      model.isActive = event.phase == .active
      model.events += 1
    }
  }
}

@MainActor
final class PublishedModel: ObservableObject {
  @Published private(set) var isActive = true

  init(_ bus: LifecycleBus) {
    bus.addObserver(self) { model, event in model.isActive = event.phase == .active }
  }
}

@MainActor
final class EquatableModel: @MainActor Equatable {
  var events = 0
  var others = 0

  init(_ bus: LifecycleBus) {
    bus.addObserver(self) { model, _ in
      model.events += 1
      model.others += 1
    }
  }

  static func == (lhs: EquatableModel, rhs: EquatableModel) -> Bool {
    lhs.events == rhs.events && lhs.others == rhs.others
  }
}

final class LockedCounter: Sendable {
  private let value = Locked(0)

  var count: Int { value.withLock { $0 } }

  func increment() { value.withLock { $0 += 1 } }
}
