/// The lifecycle of the process as one ordered stream, delivered on the main actor.
///
/// Observers are `@MainActor` closures: view models need no annotation and no hop. If an input is
/// sent on the main actor, and not by an observer, it has reached every observer when `send`
/// returns. If it is sent from elsewhere, it follows in order. For programs whose main thread is
/// blocked, use ``NonisolatedLifecycleBus``.
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
/// scope.end()
/// ```
///
/// Releasing the bus delivers the accepted inputs, then finishes its streams.
public final class LifecycleBus: LifecycleBusProtocol {
  public let core: LifecycleBusCore
  private let parent: LifecycleCancellable?
  /// The objects made for the bus that live as long as it does, one of each type. An object that
  /// must be released before the bus is an `attachment` of the core.
  @MainActor private var companions: [ObjectIdentifier: AnyObject] = [:]

  /// Creates a bus whose phase is `unknown`.
  ///
  /// - Parameter clock: The source of the events' instants.
  public init(clock: any LifecycleClock = .system) {
    core = LifecycleBusCore(context: .mainActor, clock: clock)
    parent = nil
  }

  /// Creates a bus inside another one, such as a screen's bus inside the application's.
  ///
  /// Its phase follows the inputs that it receives, and is never further forward than its parent's:
  /// `active` means that the screen is shown and the application is in use. It starts in the
  /// background. A screen sends `didBecomeActive` in its `viewDidAppear` or `onAppear`, and
  /// `didEnterBackground` in its `viewDidDisappear` or `onDisappear`.
  ///
  /// ```swift
  /// let screen = LifecycleBus(parent: application)
  /// screen.send(.didBecomeActive)
  /// ```
  ///
  /// It uses its parent's clock, and ends with its parent. Neither keeps the other alive: the
  /// parent continues when the screen's bus is released.
  ///
  /// - Parameter parent: The application's bus, or another screen's.
  /// - Parameter fileID: The file ID of the call site.
  /// - Parameter filePath: The path of the call site's file.
  /// - Parameter line: The line of the call site.
  /// - Parameter column: The column of the call site.
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
    // The report of the parent may come later, if the parent is delivering just now or delivers
    // elsewhere. A new bus feeds no other bus, so this makes no cycle.
    self.parent = try? core.connect(
      .bus(parent, fileID: fileID, filePath: filePath, line: line, column: column),
      as: .ceiling,
      limit: .background
    )
  }

  deinit {
    core.release()
  }

  /// Returns the object of that type that lives as long as the bus, and creates it on first use.
  @MainActor func companion<Object: AnyObject>(_ make: (LifecycleBus) -> Object) -> Object {
    let key = ObjectIdentifier(Object.self)
    if let object = companions[key] as? Object { return object }
    let object = make(self)
    companions[key] = object
    return object
  }
}
