import LifecycleCombine
import LifecycleCore
import TestSupport
import Testing

/// Every way to observe a bus.
enum ObserverForm: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case token, scope, owner
  case returning, returningOwner, capturing, opening, openingOwner
  case events, publisher, phases, backgroundStays, openings, suppressedInputs
  /// Through an operator: a subscriber, where the streams' own `sink` is none.
  case mapped

  /// Those that receive each event.
  static let ofEvents: [Self] = [
    .token, .scope, .owner, .events, .publisher, .phases, .mapped,
  ]

  /// Those that can be cancelled while their owner lives.
  static let cancellable = allCases.filter {
    ![.owner, .returningOwner, .openingOwner].contains($0)
  }

  /// Those that end with the bus's streams, at `willTerminate`.
  static let ofStreams = allCases.filter { $0 != .suppressedInputs }

  var testDescription: String { rawValue }

  /// Observes in this form; `body` gets the form's name.
  func observe(
    _ bus: any LifecycleBusProtocol,
    _ body: @escaping @Sendable (String) -> Void
  ) -> Registration {
    let name = rawValue
    let scope = LifecycleScope(name)
    switch self {
    case .token:
      return Registration(token: bus.addObserver { _ in body(name) })
    case .scope:
      bus.addObserver(in: scope) { _ in body(name) }
      return Registration(scope: scope)
    case .owner:
      let owner = Owner()
      bus.addObserver(owner) { _, _ in body(name) }
      return Registration(owner: owner)
    case .returning:
      bus.onReturn(in: scope) { _ in body(name) }
      return Registration(scope: scope)
    case .returningOwner:
      let owner = Owner()
      if let bus = bus as? LifecycleBus,
        MainQueue.ifCurrent({ bus.onReturn(owner) { _, _ in body(name) } }) != nil
      {
        return Registration(owner: owner)
      }
      bus.addObserver(owner, for: .willEnterForeground) { _, event in
        if event.backgroundStay != nil { body(name) }
      }
      return Registration(owner: owner)
    case .openingOwner:
      let owner = Owner()
      if let bus = bus as? LifecycleBus,
        MainQueue.ifCurrent({ bus.onOpen(owner, initial: false) { _, _ in body(name) } }) != nil
      {
        return Registration(owner: owner)
      }
      bus.addObserver(owner, for: .willEnterForeground) { _, _ in body(name) }
      return Registration(owner: owner)
    case .capturing:
      bus.onReturn(in: scope, capturing: { body(name) }) { _, _ in body(name) }
      return Registration(scope: scope)
    case .opening:
      bus.onOpen(in: scope, initial: false) { _ in body(name) }
      return Registration(scope: scope)
    case .events:
      return Registration(cancellable: bus.events.sink { _ in body(name) })
    case .publisher:
      let publisher = bus.publisher(for: .transitions.union([.systemDidWake]))
      return Registration(cancellable: publisher.sink { _ in body(name) })
    case .phases:
      return Registration(cancellable: bus.phases.dropFirst().sink { _ in body(name) })
    case .backgroundStays:
      return Registration(cancellable: bus.backgroundStays.sink { _ in body(name) })
    case .openings:
      return Registration(cancellable: bus.openings.sink { _ in body(name) })
    case .mapped:
      return Registration(cancellable: bus.events.map { $0 }.sink { _ in body(name) })
    case .suppressedInputs:
      return Registration(cancellable: bus.suppressedInputs.sink { _ in body(name) })
    }
  }
}

/// An observer in a test, and what holds it.
struct Registration {
  var token: LifecycleCancellable?
  var scope: LifecycleScope?
  var owner: Owner?
  var cancellable: AnyCancellable?

  /// Cancels, and goes on holding everything.
  func cancel() {
    token?.cancel()
    scope?.end()
    cancellable?.cancel()
  }
}

/// An owner of observers.
final class Owner: Sendable {}

/// An owner that is not `Sendable`, which only main-actor closures can have.
final class UnsharedOwner {}
