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
  /// integers, not by their names. Each distinct name is kept for the life of the process. Use a
  /// fixed set of names, also where events are decoded, and put values that vary in
  /// ``LifecycleEvent/metadata``.
  public struct Kind: Hashable, Sendable {
    private let name: InternedName

    fileprivate init(id: UInt32) {
      name = InternedName(id: id)
    }

    package init(_ builtIn: BuiltIn) {
      self.init(id: UInt32(builtIn.rawValue))
    }

    // MARK: Transitions

    /// The process has started: `unknown` → `background`.
    public static let didFinishLaunching = Self(.didFinishLaunching)
    /// The process becomes visible: `background` → `inactive`. Carries the ``BackgroundStay``.
    public static let willEnterForeground = Self(.willEnterForeground)
    /// The process receives input: `inactive` → `active`.
    public static let didBecomeActive = Self(.didBecomeActive)
    /// The process stops receiving input: `active` → `inactive`.
    public static let willResignActive = Self(.willResignActive)
    /// The process is no longer visible: `inactive` → `background`.
    public static let didEnterBackground = Self(.didEnterBackground)
    /// The process is about to end: → `terminated`.
    public static let willTerminate = Self(.willTerminate)

    // MARK: Notices

    /// Memory is low: release what can be recreated.
    public static let didReceiveMemoryWarning = Self(.didReceiveMemoryWarning)
    /// Midnight, a clock change, or another jump of the calendar.
    public static let significantTimeChange = Self(.significantTimeChange)
    /// The device is about to be locked, or the source has found it locked; see
    /// ``LifecycleBusProtocol/isProtectedDataAvailable``.
    public static let protectedDataWillBecomeUnavailable = Self(.protectedDataWillBecomeUnavailable)
    /// The device was unlocked.
    public static let protectedDataDidBecomeAvailable = Self(.protectedDataDidBecomeAvailable)
    /// The system is about to sleep.
    public static let systemWillSleep = Self(.systemWillSleep)
    /// The system woke up.
    public static let systemDidWake = Self(.systemDidWake)
    /// A background fetch has ended.
    ///
    /// A `BackgroundFetchCoordinator` adds the fetch's number as `fetch`, the result as `result`.
    public static let backgroundFetchDidComplete = Self(.backgroundFetchDidComplete)
    /// The user has asked the system to shut down or to log out, which can still be cancelled.
    public static let systemWillPowerOff = Self(.systemWillPowerOff)
    /// Someone asks the process to read its configuration again, by `SIGHUP` for example.
    public static let reloadRequest = Self(.reloadRequest)
    /// The process was paused without notice, and runs again.
    public static let processWasPaused = Self(.processWasPaused)

    /// The kinds above, in the order of their numbers. Only names are ever stored, so a new one may
    /// come anywhere.
    ///
    /// A `CodingKey` has the name of its case as a text, also where reflection is disabled.
    package enum BuiltIn: Int, CaseIterable, CodingKey {
      case didFinishLaunching
      case willEnterForeground
      case didBecomeActive
      case willResignActive
      case didEnterBackground
      case willTerminate
      case didReceiveMemoryWarning
      case significantTimeChange
      case protectedDataWillBecomeUnavailable
      case protectedDataDidBecomeAvailable
      case systemWillSleep
      case systemDidWake
      case backgroundFetchDidComplete
      case systemWillPowerOff
      case reloadRequest
      case processWasPaused
    }
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
  package var isTransition: Bool { transition != nil }

  fileprivate var bit: UInt64? { name.id < 64 ? 1 << UInt64(name.id) : nil }

  fileprivate var isBuiltIn: Bool { name.id < BuiltIn.allCases.count }
}

// Reflection, which custom-dump uses, shows a kind as plain text.
extension LifecycleEvent.Kind: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension LifecycleEvent {
  /// A list of event kinds, such as the kinds that an observer receives.
  ///
  /// ```swift
  /// let saving: LifecycleEvent.Kinds = [.didEnterBackground, .willTerminate]
  /// bus.addObserver(for: saving, in: scope) { _ in save() }
  /// ```
  ///
  /// Order and repetitions have no effect. An empty list is allowed, and matches no event.
  /// A built-in kind needs no brackets: `publisher(for: .didEnterBackground)`. A kind that your
  /// program adds needs them, unless you also declare a list for it:
  ///
  /// ```swift
  /// extension LifecycleEvent.Kinds {
  ///   static let documentDidSave: Self = [.documentDidSave]
  /// }
  /// ```
  public struct Kinds: Sendable, Hashable {
    /// One bit for each listed kind among the first 64 names of the process. The names of kinds and
    /// of sources are numbered together.
    private let mask: UInt64
    /// The listed kinds that have no bit; nil if all such kinds are listed.
    private let others: Set<Kind>?

    private init(mask: UInt64, others: Set<Kind>?) {
      self.mask = mask
      self.others = others
    }

    /// Creates a list of the kinds in a sequence.
    ///
    /// - Complexity: O(*n*) in the number of kinds.
    public init(_ kinds: some Sequence<Kind>) {
      var mask: UInt64 = 0
      var others: Set<Kind> = []
      for kind in kinds {
        if let bit = kind.bit { mask |= bit } else { others.insert(kind) }
      }
      self.init(mask: mask, others: others)
    }

    /// All kinds, including those that programs add.
    public static var all: Kinds { Kinds(mask: .max, others: nil) }

    /// The six kinds that change the phase.
    public static let transitions: Self = [
      .didFinishLaunching, .willEnterForeground, .didBecomeActive,
      .willResignActive, .didEnterBackground, .willTerminate,
    ]

    /// Returns a Boolean value that indicates whether the kind is in the list.
    ///
    /// - Complexity: O(1).
    public func contains(_ kind: Kind) -> Bool {
      if let bit = kind.bit { return mask & bit != 0 }
      return others?.contains(kind) ?? true
    }

    /// Returns the kinds that are in this list, in the other list, or in both.
    ///
    /// ```swift
    /// let kinds = LifecycleEvent.Kinds.transitions.union([.systemDidWake])
    /// ```
    public func union(_ other: Kinds) -> Kinds {
      let others = others.flatMap { others in other.others.map { others.union($0) } }
      return Kinds(mask: mask | other.mask, others: others)
    }

    /// The listed kinds: the built-in ones in order, then the others by name; nil for ``all``.
    var listed: [Kind]? {
      guard let others else { return nil }
      var (builtIn, named): ([Kind], [Kind]) = ([], [])
      for number in 0..<UInt32(UInt64.bitWidth) where mask & (1 << UInt64(number)) != 0 {
        let kind = Kind(id: number)
        if kind.isBuiltIn { builtIn.append(kind) } else { named.insert(kind, by: \.rawValue) }
      }
      for kind in others { named.insert(kind, by: \.rawValue) }
      return builtIn + named
    }
  }
}

extension LifecycleEvent.Kinds: ExpressibleByArrayLiteral {
  public init(arrayLiteral kinds: LifecycleEvent.Kind...) {
    self.init(kinds)
  }
}

extension LifecycleEvent.Kinds: CustomStringConvertible {
  /// `[didEnterBackground, willTerminate]`, or `all`.
  public var description: String {
    guard let listed else { return "all" }
    return "[\(listed.map(\.rawValue).joined(separator: ", "))]"
  }
}

// Reflection, which custom-dump uses, shows a list as plain text.
extension LifecycleEvent.Kinds: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}

// Lists of one built-in kind, for use without brackets.

extension LifecycleEvent.Kinds {
  /// ``LifecycleEvent/Kind/didFinishLaunching`` alone.
  public static var didFinishLaunching: Self { [.didFinishLaunching] }
  /// ``LifecycleEvent/Kind/willEnterForeground`` alone.
  public static var willEnterForeground: Self { [.willEnterForeground] }
  /// ``LifecycleEvent/Kind/didBecomeActive`` alone.
  public static var didBecomeActive: Self { [.didBecomeActive] }
  /// ``LifecycleEvent/Kind/willResignActive`` alone.
  public static var willResignActive: Self { [.willResignActive] }
  /// ``LifecycleEvent/Kind/didEnterBackground`` alone.
  public static var didEnterBackground: Self { [.didEnterBackground] }
  /// ``LifecycleEvent/Kind/willTerminate`` alone.
  public static var willTerminate: Self { [.willTerminate] }
  /// ``LifecycleEvent/Kind/didReceiveMemoryWarning`` alone.
  public static var didReceiveMemoryWarning: Self { [.didReceiveMemoryWarning] }
  /// ``LifecycleEvent/Kind/significantTimeChange`` alone.
  public static var significantTimeChange: Self { [.significantTimeChange] }
  /// ``LifecycleEvent/Kind/protectedDataWillBecomeUnavailable`` alone.
  public static var protectedDataWillBecomeUnavailable: Self {
    [.protectedDataWillBecomeUnavailable]
  }
  /// ``LifecycleEvent/Kind/protectedDataDidBecomeAvailable`` alone.
  public static var protectedDataDidBecomeAvailable: Self { [.protectedDataDidBecomeAvailable] }
  /// ``LifecycleEvent/Kind/systemWillSleep`` alone.
  public static var systemWillSleep: Self { [.systemWillSleep] }
  /// ``LifecycleEvent/Kind/systemDidWake`` alone.
  public static var systemDidWake: Self { [.systemDidWake] }
  /// ``LifecycleEvent/Kind/backgroundFetchDidComplete`` alone.
  public static var backgroundFetchDidComplete: Self { [.backgroundFetchDidComplete] }
  /// ``LifecycleEvent/Kind/systemWillPowerOff`` alone.
  public static var systemWillPowerOff: Self { [.systemWillPowerOff] }
  /// ``LifecycleEvent/Kind/reloadRequest`` alone.
  public static var reloadRequest: Self { [.reloadRequest] }
  /// ``LifecycleEvent/Kind/processWasPaused`` alone.
  public static var processWasPaused: Self { [.processWasPaused] }
}
