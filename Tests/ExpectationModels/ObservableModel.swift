public import Observation
public import ReactiveLifecycle

@MainActor
@Observable
public final class ObservableModel {
  public private(set) var isActive = true
  public private(set) var events = 0
  public private(set) var names: [String] = []

  public subscript(number: Int) -> Int { events + number }

  public init(_ bus: LifecycleBus) {
    bus.addObserver(self) { model, event in
      model.isActive = event.phase == .active
      model.events += 1
    }
  }
}
