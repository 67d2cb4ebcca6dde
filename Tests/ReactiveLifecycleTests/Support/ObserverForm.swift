import LifecycleCombine
import ReactiveLifecycle
import Testing

/// Every way to observe a bus.
enum ObserverForm: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case token, scope, owner, returning, capturing
  case events, publisher, phases, backgroundStays, suppressedInputs
  /// Through an operator: a subscriber, where the streams' own `sink` is none.
  case mapped

  /// Those that are told of each event.
  static let ofEvents: [Self] = [
    .token, .scope, .owner, .events, .publisher, .phases, .mapped,
  ]

  /// Those that end with the bus's streams, at `willTerminate`.
  static let ofStreams = allCases.filter { $0 != .suppressedInputs }

  var testDescription: String { rawValue }

  /// Observes in this form; `body` gets the form's name.
  func observe(
    _ bus: any TestedBus,
    _ body: @escaping @Sendable (String) -> Void
  ) -> Registration {
    let name = rawValue
    let scope = LifecycleScope(name)
    switch self {
    case .token:
      return Registration(token: bus.observe { _ in body(name) })
    case .scope:
      return Registration(token: bus.observe(in: scope) { _ in body(name) }, scope: scope)
    case .owner:
      let owner = Owner()
      return Registration(token: bus.observe(owner) { _, _ in body(name) }, owner: owner)
    case .returning:
      return Registration(token: bus.returning(scope, nil) { _, _ in body(name) }, scope: scope)
    case .capturing:
      let token = bus.capturing(scope, nil, { body(name) }) { _, _, _ in body(name) }
      return Registration(token: token, scope: scope)
    case .events:
      return Registration(cancellable: bus.events.sink { _ in body(name) })
    case .publisher:
      let kinds: [LifecycleEvent.Kind] = [
        .didFinishLaunching, .willEnterForeground, .didBecomeActive, .willResignActive,
        .didEnterBackground, .willTerminate,
      ]
      let publisher = bus.publisher(
        for: kinds[0],
        kinds[1],
        kinds[2],
        kinds[3],
        kinds[4],
        kinds[5],
        .systemDidWake
      )
      return Registration(cancellable: publisher.sink { _ in body(name) })
    case .phases:
      return Registration(cancellable: bus.phases.dropFirst().sink { _ in body(name) })
    case .backgroundStays:
      return Registration(cancellable: bus.backgroundStays.sink { _ in body(name) })
    case .mapped:
      return Registration(cancellable: bus.events.map { $0 }.sink { _ in body(name) })
    case .suppressedInputs:
      return Registration(cancellable: bus.suppressedInputs.sink { _ in body(name) })
    }
  }
}

/// An observer in a test, and what holds it.
final class Registration {
  var token: LifecycleSubscription?
  var scope: LifecycleScope?
  var owner: Owner?
  var cancellable: AnyCancellable?

  init(
    token: LifecycleSubscription? = nil,
    scope: LifecycleScope? = nil,
    owner: Owner? = nil,
    cancellable: AnyCancellable? = nil
  ) {
    self.token = token
    self.scope = scope
    self.owner = owner
    self.cancellable = cancellable
  }

  /// Cancels, and goes on holding everything.
  func cancel() {
    token?.cancel()
    cancellable?.cancel()
  }
}

/// An owner of observers.
final class Owner: Sendable {}
