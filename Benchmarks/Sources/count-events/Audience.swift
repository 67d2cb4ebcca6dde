import LifecycleCombine
import ReactiveLifecycle

/// A bus and its observers.
struct Audience {
  let bus = LifecycleBus()
  let scope = LifecycleScope()
  let tallies: [Tally]
  private(set) var holders: [any Cancellable] = []
  private let style: ObserverStyle

  /// A bus that `count` observers can join. What they need of the caller is allocated here.
  init(_ style: ObserverStyle, roomFor count: Int) {
    self.style = style
    tallies = (0..<count).map { _ in Tally() }
    holders.reserveCapacity(count)
  }

  /// A bus with `count` observers, in the phase `active`.
  init(_ style: ObserverStyle, _ count: Int) {
    self.init(style, roomFor: count)
    bus.send(.didBecomeActive, at: .fixed)
    admit(count)
  }

  /// Registers the first `count` observers.
  mutating func admit(_ count: Int) {
    for tally in tallies.prefix(count) {
      let holder = style.observe(bus, in: scope, tally)
      if style.needsHolder { holders.append(holder) }
    }
  }

  func performance(calls: Int) -> Performance {
    Performance(holding: self, .init("observer", tallies[...], calls: calls))
  }
}
