public import LifecycleCombine
public import Observation

/// The lifecycle as an object that a user interface reads.
///
/// It follows a ``LifecycleBus`` from the moment it is made until it is released. What reads its
/// properties inside `withObservationTracking`, as the body of a SwiftUI view is, is told when they
/// change; notices, and values equal to the ones before, change nothing.
///
/// ```swift
/// let lifecycle = ObservableLifecycle(bus)
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
/// It is an `ObservableObject`, too, for what was written before Observation: ``objectWillChange``
/// sends before each change, once for all properties that change with one event.
///
/// The object observes the bus like any other observer, in its turn: those that were registered after
/// it find it up to date on a way up, and those before it on a way down. It does not keep the bus alive.
@Observable
@MainActor
public final class ObservableLifecycle {
  /// Where the process is. It starts with the bus's phase, and stays as it is when the bus is released.
  public private(set) var phase: LifecyclePhase

  /// How long the process was away before it returned last; nil until it has returned for the first
  /// time since the object was made.
  public private(set) var backgroundStay: BackgroundStay?

  /// Sends before each change, on the main actor.
  public let objectWillChange = ObservableObjectPublisher()

  @ObservationIgnored private var subscription: LifecycleSubscription?

  /// An object that follows the bus.
  ///
  /// - Parameter bus: Not kept alive.
  public init(
    _ bus: LifecycleBus,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    // Nothing is delivered between the two: that, too, happens on the main actor.
    phase = bus.phase
    subscription = bus.addObserver(
      for: .transitions,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    ) { [weak self] event in
      self?.update(event)
    }
  }

  private func update(_ event: LifecycleEvent) {
    // Every transition changes the phase.
    objectWillChange.send()
    if let stay = event.backgroundStay { backgroundStay = stay }
    phase = event.phase
  }
}

extension ObservableLifecycle {
  /// Whether the process is in sight and receives input.
  public var isActive: Bool { phase == .active }

  /// Whether the user can see the process.
  public var isForeground: Bool { phase.isForeground }

  /// Whether the process runs out of sight.
  public var isBackground: Bool { phase == .background }

  /// Whether the end has come: nothing will change any more.
  public var isTerminated: Bool { phase == .terminated }
}

extension ObservableLifecycle: @MainActor ObservableObject {}
