extension LifecycleEvent {
  /// The kind of an event, such as `didEnterBackground`.
  ///
  /// Six *transitions* change the phase; every other kind is a *notice*, which does not. Programs
  /// can add notices:
  ///
  /// ```swift
  /// extension LifecycleEvent.Kind {
  ///   static let documentDidSave: Self = "documentDidSave"
  /// }
  /// ```
  ///
  /// Creating a kind from a name takes a process-wide lock once; kinds are compared and hashed as
  /// integers, not by their names. Each distinct name is kept for the life of the process and takes
  /// up to 150 bytes. Use a fixed set of names, also where events are decoded, and put values that
  /// vary in ``LifecycleEvent/metadata``.
  public struct Kind: Hashable, Sendable {
    let name: InternedName

    init(name: InternedName) {
      self.name = name
    }

    private init(builtIn id: UInt32) {
      name = InternedName(id: id)
    }

    // MARK: Transitions

    /// The process has started: `unknown` → `background`.
    public static let didFinishLaunching = Self(builtIn: 0)
    /// The process becomes visible: `background` → `inactive`. Carries the ``BackgroundStay``.
    public static let willEnterForeground = Self(builtIn: 1)
    /// The process receives input: `inactive` → `active`.
    public static let didBecomeActive = Self(builtIn: 2)
    /// The process stops receiving input: `active` → `inactive`.
    public static let willResignActive = Self(builtIn: 3)
    /// The process is no longer visible: `inactive` → `background`.
    public static let didEnterBackground = Self(builtIn: 4)
    /// The process is about to end: → `terminated`.
    public static let willTerminate = Self(builtIn: 5)

    // MARK: Notices

    /// Memory is low: release what can be recreated.
    public static let didReceiveMemoryWarning = Self(builtIn: 6)
    /// Midnight, a clock change, or another jump of the calendar.
    public static let significantTimeChange = Self(builtIn: 7)
    /// The device is about to be locked.
    public static let protectedDataWillBecomeUnavailable = Self(builtIn: 8)
    /// The device was unlocked.
    public static let protectedDataDidBecomeAvailable = Self(builtIn: 9)
    /// The system is about to sleep.
    public static let systemWillSleep = Self(builtIn: 10)
    /// The system woke up.
    public static let systemDidWake = Self(builtIn: 11)
    /// A background fetch has ended.
    ///
    /// A `BackgroundFetchCoordinator` adds the fetch's number as `fetch`, the result as `result`.
    public static let backgroundFetchDidComplete = Self(builtIn: 12)
    /// The user has asked the system to shut down or to log out, which can still be cancelled.
    public static let systemWillPowerOff = Self(builtIn: 13)
    /// Someone asks the process to read its configuration again, by `SIGHUP` for example.
    public static let reloadRequest = Self(builtIn: 14)
    /// The process was paused without notice, and runs again.
    public static let processWasPaused = Self(builtIn: 15)

    /// The names of the kinds above, each at the index that is the kind's number.
    package static let builtInNames = [
      "didFinishLaunching", "willEnterForeground", "didBecomeActive", "willResignActive",
      "didEnterBackground", "willTerminate", "didReceiveMemoryWarning", "significantTimeChange",
      "protectedDataWillBecomeUnavailable", "protectedDataDidBecomeAvailable", "systemWillSleep",
      "systemDidWake", "backgroundFetchDidComplete", "systemWillPowerOff", "reloadRequest",
      "processWasPaused",
    ]
  }
}

extension LifecycleEvent.Kind: RawRepresentable, ExpressibleByStringLiteral, Codable {
  /// Creates the kind with a name; the same name always makes the same kind.
  public init(rawValue: String) {
    name = InternedName(rawValue)
  }

  public init(stringLiteral value: String) {
    self.init(rawValue: value)
  }

  /// The kind's name, such as `didEnterBackground`.
  public var rawValue: String { name.text }
}

// Without these, the standard library's `==` for `RawRepresentable` compares the texts, and looks
// up both under the process-wide lock.
extension LifecycleEvent.Kind {
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name }
  public static func != (lhs: Self, rhs: Self) -> Bool { lhs.name != rhs.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension LifecycleEvent.Kind: CustomStringConvertible {
  public var description: String { rawValue }
}

extension LifecycleEvent.Kind {
  /// A Boolean value that indicates whether this kind changes the phase.
  public var isTransition: Bool { transition != nil }
}

// Reflection, which custom-dump uses, shows a kind as plain text.
extension LifecycleEvent.Kind: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}
