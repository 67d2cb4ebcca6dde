/// The lifecycle of the process as one ordered stream, delivered on the main actor.
///
/// Observers are `@MainActor` closures: view models need no annotation and no hop. Sent on the main
/// actor, an input has reached every observer when `send` returns; sent from elsewhere, it follows
/// in order. For programs whose main thread is blocked there is ``NonisolatedLifecycleBus``.
///
/// ```swift
/// let bus = LifecycleBus()
/// let scope = LifecycleScope("screen")
/// bus.onReturn(in: scope) { stay in
///   print("away for \(stay.duration)")
/// }
/// bus.send(.didBecomeActive)
/// bus.send(.didEnterBackground)
/// bus.send(.didBecomeActive)
/// ```
///
/// Releasing the bus delivers what was accepted, then finishes its streams.
public final class LifecycleBus: LifecycleBusProtocol {
  public let core: LifecycleBusCore
  private let parent: LifecycleCancellable?
  /// What has been made of the bus, and lives as long: one object of each type. What is to go before
  /// the bus is an `attachment` of the core.
  @MainActor private var companions: [ObjectIdentifier: AnyObject] = [:]

  /// A bus whose phase is `unknown`.
  ///
  /// - Parameter clock: Where the instants of events come from.
  public init(clock: any LifecycleClock = .system) {
    core = LifecycleBusCore(context: .mainActor, clock: clock)
    parent = nil
  }

  /// A bus inside another one: a screen's in the application's. It is as far forward as it is told,
  /// and never further than its parent: `active` means that the screen is shown and the application in
  /// use. It starts in the background; a screen sends `didBecomeActive` in its `viewDidAppear` or
  /// `onAppear`, and `didEnterBackground` in its `viewDidDisappear` or `onDisappear`.
  ///
  /// ```swift
  /// let screen = LifecycleBus(parent: application)
  /// screen.send(.didBecomeActive)
  /// ```
  ///
  /// It keeps its parent's time, and ends with it. Neither keeps the other alive: the parent goes on
  /// when the screen's bus is released.
  ///
  /// - Parameter parent: The application's bus, or another screen's.
  public init(
    parent: some LifecycleBusProtocol,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let core = LifecycleBusCore(context: .mainActor, clock: parent.core.clock)
    self.core = core
    _ = core.send(.didFinishLaunching, at: nil, metadata: [:])
    // The parent may be heard later, when it delivers just now or elsewhere. A new bus feeds nobody, so
    // this makes no cycle.
    self.parent = try? core.connect(
      .bus(parent, fileID: fileID, filePath: filePath, line: line, column: column),
      as: .ceiling,
      limit: .background
    )
  }

  deinit {
    core.release()
  }

  /// The object of that type that lives as long as the bus, made on first use.
  @MainActor func companion<Object: AnyObject>(_ make: (LifecycleBus) -> Object) -> Object {
    let key = ObjectIdentifier(Object.self)
    if let object = companions[key] as? Object { return object }
    let object = make(self)
    companions[key] = object
    return object
  }
}
