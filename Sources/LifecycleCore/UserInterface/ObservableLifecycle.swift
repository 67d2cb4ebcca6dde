public import LifecycleCombine
public import Observation

/// The lifecycle as an object that a user interface reads.
///
/// The object follows a ``LifecycleBus`` from its creation to its release. Code that reads its
/// properties inside `withObservationTracking`, such as the body of a SwiftUI view, is notified
/// when they change. Notices, and values equal to the previous ones, change nothing.
///
/// ```swift
/// lifecycle = ObservableLifecycle(of: bus)
/// withObservationTracking {
///   show(lifecycle.isForeground ? "in sight" : "out of sight")
/// } onChange: {
///   setNeedsUpdate()
/// }
/// ```
///
/// In SwiftUI:
///
/// ```text
/// struct Player: View {
///   let lifecycle: ObservableLifecycle
///
///   var body: some View {
///     VideoPlayer(player: player).opacity(lifecycle.isActive ? 1 : 0.5)
///   }
/// }
/// ```
///
/// Observation needs iOS 17 and macOS 14. For older systems, and for code that predates it, it is
/// also an `ObservableObject`, which a view holds as an `@ObservedObject`: ``objectWillChange``
/// sends before each change, once for all properties that change with one event.
///
/// The object observes the bus in its turn, like any other observer. For an upward transition, it
/// is up to date when observers that were registered after it are called; for a downward one, when
/// those that were registered before it are called. It does not keep the bus alive.
@MainActor
public final class ObservableLifecycle {
  /// The phase of the process.
  ///
  /// It starts as the bus's phase, and does not change when the bus is released.
  public var phase: LifecyclePhase {
    willRead(\.phase)
    return _phase
  }

  /// The stay in the background before the process last returned; nil until the process returns for
  /// the first time after the object's creation.
  public var backgroundStay: BackgroundStay? {
    willRead(\.backgroundStay)
    return _backgroundStay
  }

  /// A publisher that sends before each change, on the main actor.
  public let objectWillChange = ObservableObjectPublisher()

  private var _phase: LifecyclePhase
  private var _backgroundStay: BackgroundStay?
  private var subscription: LifecycleCancellable?

  /// The `ObservationRegistrar`, if the system has one. The type is erased, because a class with a
  /// field of a type that the system lacks crashes programs that enumerate classes
  /// (https://github.com/swiftlang/swift/issues/61215).
  private let registrar: (any Sendable)?

  /// Creates an object that follows a bus.
  ///
  /// - Parameter bus: The bus to follow, which is not kept alive.
  public init(
    of bus: LifecycleBus,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) {
      registrar = ObservationRegistrar()
    } else {
      registrar = nil
    }
    // Nothing is delivered between the two, because delivery also happens on the main actor.
    _phase = bus.phase
    let site = CallSite(fileID, filePath, line, column)
    let update = onMainActor { [weak self] (event: LifecycleEvent) in self?.update(event) }
    subscription = bus.core.addObserver(.transitions, site, update)
  }

  private func update(_ event: LifecycleEvent) {
    // Every transition changes the phase.
    objectWillChange.send()
    if let stay = event.backgroundStay, stay != _backgroundStay {
      change(\.backgroundStay) { _backgroundStay = stay }
    }
    change(\.phase) { _phase = event.phase }
  }

  private func willRead(_ property: KeyPath<ObservableLifecycle, some Any>) {
    guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return }
    (registrar as? ObservationRegistrar)?.access(self, keyPath: property)
  }

  private func change(_ property: KeyPath<ObservableLifecycle, some Any>, _ body: () -> Void) {
    guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *),
      let registrar = registrar as? ObservationRegistrar
    else { return body() }
    registrar.withMutation(of: self, keyPath: property, body)
  }
}

extension ObservableLifecycle {
  /// A Boolean value that indicates whether the process is visible and receives input.
  public var isActive: Bool { phase.isActive }

  /// A Boolean value that indicates whether the user can see the process.
  public var isForeground: Bool { phase.isForeground }

  /// A Boolean value that indicates whether the process is in the background.
  public var isBackground: Bool { phase.isBackground }

  /// A Boolean value that indicates whether the process has terminated: nothing changes then.
  public var isTerminated: Bool { phase == .terminated }
}

extension ObservableLifecycle: @MainActor ObservableObject {}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension ObservableLifecycle: nonisolated Observable {}

extension LifecycleBus {
  /// The lifecycle as an object that user interfaces share.
  ///
  /// The object is created on first use, and follows the bus from then on.
  ///
  /// ```swift
  /// show(bus.observableState.isForeground ? "in sight" : "out of sight")
  /// ```
  @MainActor public var observableState: ObservableLifecycle {
    if let observable { return observable }
    let object = ObservableLifecycle(of: self)
    observable = object
    return object
  }
}
