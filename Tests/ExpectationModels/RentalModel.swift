public import ReactiveLifecycle

@MainActor
public final class RentalModel {
  public struct Screen: Equatable {
    public var isShown: Bool
    public var rows: [String]

    public init(isShown: Bool = true, rows: [String] = []) {
      self.isShown = isShown
      self.rows = rows
    }
  }

  public private(set) var remaining = Duration.seconds(300)
  public private(set) var visits = 0
  public var title: String?
  public private(set) var screen = Screen()
  public var remainingMinutes: Int { Int(remaining.components.seconds) / 60 }

  public init(_ bus: LifecycleBus) {
    bus.addObserver(self, for: [.willEnterForeground]) { model, event in
      guard let stay = event.backgroundStay else { return }
      model.remaining -= stay.duration
      model.visits += 1
    }
    bus.addObserver(self) { model, event in model.screen.isShown = event.phase == .active }
  }
}
