public import LifecycleCombine
public import Observation

/// The lifecycle as an object that a user interface reads.
///
/// The object follows a ``LifecycleBus`` from its creation to its release. Code that reads its
/// properties inside `withObservationTracking`, such as the body of a SwiftUI view, is notified
/// when they change. Notices, and values equal to the previous ones, change nothing.
///
/// ```swift
/// lifecycle = ObservableLifecycle(bus)
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
/// For code that predates Observation, it is also an `ObservableObject`: ``objectWillChange`` sends
/// before each change, once for all properties that change with one event.
///
/// The object observes the bus in its turn, like any other observer. For an upward transition, it
/// is up to date when observers that were registered after it are called; for a downward one, when
/// those that were registered before it are called. It does not keep the bus alive.
@Observable
@MainActor
public final class ObservableLifecycle {
  /// The phase of the process.
  ///
  /// It starts as the bus's phase, and does not change when the bus is released.
  public private(set) var phase: LifecyclePhase

  /// The stay in the background before the process last returned; nil until the process returns for
  /// the first time after the object's creation.
  public private(set) var backgroundStay: BackgroundStay?

  /// A publisher that sends before each change, on the main actor.
  public let objectWillChange = ObservableObjectPublisher()

  @ObservationIgnored private var subscription: LifecycleCancellable?

  /// Creates an object that follows a bus.
  ///
  /// - Parameter bus: The bus to follow, which is not kept alive.
  public init(
    _ bus: LifecycleBus,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    // Nothing is delivered between the two, because delivery also happens on the main actor.
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
  /// A Boolean value that indicates whether the process is visible and receives input.
  public var isActive: Bool { phase == .active }

  /// A Boolean value that indicates whether the user can see the process.
  public var isForeground: Bool { phase.isForeground }

  /// A Boolean value that indicates whether the process is in the background.
  public var isBackground: Bool { phase == .background }

  /// A Boolean value that indicates whether the process has terminated: nothing changes then.
  public var isTerminated: Bool { phase == .terminated }
}

extension ObservableLifecycle: @MainActor ObservableObject {}

extension LifecycleBus {
  /// The lifecycle as an object that user interfaces share.
  ///
  /// The object is created on first use, and follows the bus from then on.
  ///
  /// ```swift
  /// show(bus.observableState.isForeground ? "in sight" : "out of sight")
  /// ```
  @MainActor public var observableState: ObservableLifecycle {
    companion { ObservableLifecycle($0) }
  }
}
