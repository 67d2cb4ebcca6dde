extension LifecycleEvent {
  /// What happened. Six *transitions* change the phase; every other kind is a *notice* that leaves
  /// it alone. Programs add notices of their own:
  ///
  /// ```swift
  /// extension LifecycleEvent.Kind {
  ///   static let documentDidSave: Self = "documentDidSave"
  /// }
  /// ```
  ///
  /// Making a kind from a name takes a process-wide lock once; comparing and hashing kinds is as
  /// cheap as with integers. Each different name is kept for the life of the process, and takes 60 to
  /// 100 bytes: use a fixed set of names, also where events are decoded, and put what varies into
  /// ``LifecycleEvent/metadata``.
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
    /// The process comes into sight: `background` → `inactive`. Carries the ``BackgroundStay``.
    public static let willEnterForeground = Self(builtIn: 1)
    /// The process receives input: `inactive` → `active`.
    public static let didBecomeActive = Self(builtIn: 2)
    /// The process stops receiving input: `active` → `inactive`.
    public static let willResignActive = Self(builtIn: 3)
    /// The process is out of sight: `inactive` → `background`.
    public static let didEnterBackground = Self(builtIn: 4)
    /// The process is about to end: → `terminated`.
    public static let willTerminate = Self(builtIn: 5)

    // MARK: Notices

    /// Memory is scarce: release what can be made again.
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
    /// A background fetch has ended. A `BackgroundFetchCoordinator` adds its number as `fetch`, and
    /// what it has brought as `result`.
    public static let backgroundFetchDidComplete = Self(builtIn: 12)
    /// The user has asked the system to shut down, or to log out; it can still be called off.
    public static let systemWillPowerOff = Self(builtIn: 13)

    /// The names of the kinds above, each at the place that its number says.
    package static let builtInNames = [
      "didFinishLaunching", "willEnterForeground", "didBecomeActive", "willResignActive",
      "didEnterBackground", "willTerminate", "didReceiveMemoryWarning", "significantTimeChange",
      "protectedDataWillBecomeUnavailable", "protectedDataDidBecomeAvailable", "systemWillSleep",
      "systemDidWake", "backgroundFetchDidComplete", "systemWillPowerOff",
    ]
  }
}

extension LifecycleEvent.Kind: RawRepresentable, ExpressibleByStringLiteral, Codable {
  /// The kind of that name; the same name is always the same kind.
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
// both up under the process-wide lock.
extension LifecycleEvent.Kind {
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name }
  public static func != (lhs: Self, rhs: Self) -> Bool { lhs.name != rhs.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension LifecycleEvent.Kind: CustomStringConvertible {
  public var description: String { rawValue }
}

extension LifecycleEvent.Kind {
  /// Whether this kind changes the phase.
  public var isTransition: Bool { transition != nil }
}

// A name is plain text to whoever reflects it, custom-dump among others.
extension LifecycleEvent.Kind: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}
