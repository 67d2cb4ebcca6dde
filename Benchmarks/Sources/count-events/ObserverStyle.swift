import LifecycleCombine
import ReactiveLifecycle

/// A way to observe a `LifecycleBus`.
enum ObserverStyle {
  case token, scoped, owner, sink, subscriber
  /// A closure that wants other kinds than ``LifecycleEvent/Kind/counted``.
  case filteredOut

  /// Whether the observer ends when what `observe` returned is released.
  var needsHolder: Bool {
    switch self {
    case .token, .sink, .subscriber, .filteredOut: true
    case .scoped, .owner: false
    }
  }

  /// Has calls counted. Closures capture the tally and nothing else; an owner's captures nothing.
  func observe(_ bus: LifecycleBus, in scope: LifecycleScope, _ tally: Tally) -> any Cancellable {
    switch self {
    case .token: bus.addObserver { _ in tally.add() }
    case .scoped: bus.addObserver(in: scope) { _ in tally.add() }
    case .owner: bus.addObserver(tally) { tally, _ in tally.add() }
    case .sink: bus.events.sink { _ in tally.add() }
    case .subscriber: CountingSubscriber(of: bus.events, tally)
    case .filteredOut: bus.addObserver(for: [.unfiltered]) { _ in tally.add() }
    }
  }
}

extension LifecycleEvent.Kind {
  /// What scenarios send.
  static let counted = didReceiveMemoryWarning
  /// What ``ObserverStyle/filteredOut`` lets through.
  static let unfiltered = systemDidWake
}

extension LifecycleInstant {
  /// Spares the reading of clocks, which is no part of a delivery.
  static let fixed = LifecycleInstant(continuous: .boot, timeAwake: .zero, timeSince1970: .zero)
}
