import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle

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
