/// A phase in the life of a process.
///
/// Phases are ordered by how far forward the process is:
/// `terminated < unknown < background < inactive < active`.
///
/// ```text
///              didFinishLaunching   willEnterForeground   didBecomeActive
///    unknown ───────────────────▶ background ──────────▶ inactive ──────▶ active
///       │                          │      ▲◀──────────────┘  ▲◀────────────┘
///       │ willTerminate            │        didEnterBackground   willResignActive
///       └────────▶ terminated ◀────┘
///                        willTerminate
/// ```
public enum LifecyclePhase: String, Sendable, Hashable, Codable, CaseIterable {
  /// The end: nothing more is delivered.
  case terminated
  /// No phase has been reported yet.
  ///
  /// A process can run for a long time before its user opens it.
  case unknown
  /// Not visible: running, or about to be suspended.
  case background
  /// Visible, but not receiving input.
  case inactive
  /// Visible and receiving input.
  case active

  /// A Boolean value that indicates whether the user can see the process: `inactive` or `active`.
  public var isForeground: Bool { self >= .inactive }

  /// A Boolean value that indicates whether the process is visible and receives input.
  public var isActive: Bool { self == .active }

  /// A Boolean value that indicates whether the process has launched and is not visible.
  public var isBackground: Bool { self == .background }

  private var rank: Int {
    switch self {
    case .terminated: 0
    case .unknown: 1
    case .background: 2
    case .inactive: 3
    case .active: 4
    }
  }
}

extension LifecyclePhase: Comparable {
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }
}

/// The edge of the phase diagram that a transition kind stands for.
struct Transition: Hashable {
  let kind: LifecycleEvent.Kind
  let origin: LifecyclePhase
  let target: LifecyclePhase

  /// A Boolean value that indicates whether the transition leads forward.
  ///
  /// Upward transitions are delivered in order of registration, downward ones in reverse.
  var isUpward: Bool { target > origin }

  /// The transitions up from `unknown`, in order.
  static let upward = [
    Transition(kind: .didFinishLaunching, origin: .unknown, target: .background),
    Transition(kind: .willEnterForeground, origin: .background, target: .inactive),
    Transition(kind: .didBecomeActive, origin: .inactive, target: .active),
  ]

  /// The transitions down from `active`, in order.
  static let downward = [
    Transition(kind: .willResignActive, origin: .active, target: .inactive),
    Transition(kind: .didEnterBackground, origin: .inactive, target: .background),
    Transition(kind: .willTerminate, origin: .background, target: .terminated),
  ]
}

extension LifecycleEvent.Kind {
  var transition: Transition? {
    switch self {
    case .didFinishLaunching: Transition.upward[0]
    case .willEnterForeground: Transition.upward[1]
    case .didBecomeActive: Transition.upward[2]
    case .willResignActive: Transition.downward[0]
    case .didEnterBackground: Transition.downward[1]
    case .willTerminate: Transition.downward[2]
    default: nil
    }
  }

  /// The phase that this kind leads to; nil for a notice.
  package var targetPhase: LifecyclePhase? { transition?.target }
}

extension LifecyclePhase {
  /// The upward transitions that lead from `unknown` to this phase.
  var upwardPath: ArraySlice<Transition> {
    Transition.upward.prefix { $0.target <= self }
  }
}

extension LifecyclePhase {
  /// A condition on the phase of a process: a phase and all phases on one side of it, or the
  /// background.
  ///
  /// ```swift
  /// location.updates.whilePhase(.foreground, of: bus)
  /// ```
  ///
  /// Operators and calls that depend on the phase of a bus, such as `gate(_:of:buffering:)` and
  /// `waitUntil(_:)`, take a condition. A condition that every phase meets is reported at the
  /// caller's line: `.atLeast(.terminated)`, `.atLeast(.unknown)`, and `.atMost(.active)`.
  @nonexhaustive
  public enum Condition: Sendable, Hashable {
    /// A phase and all phases further forward.
    case atLeast(LifecyclePhase)
    /// A phase and all phases further back. `background` is further forward than `terminated`, and
    /// than `unknown`, the phase before the launch.
    case atMost(LifecyclePhase)
    /// The phase `background` alone: not before the launch, nor after the end.
    ///
    /// A launch to the foreground also goes through the background.
    case background

    /// The phase `active`: `.atLeast(.active)`.
    ///
    /// For input, a game, or high frame rates. What may ask for a permission belongs in
    /// ``foreground``: the alert makes the app inactive.
    public static let active = atLeast(.active)

    /// The phases in which the user can see the process: `.atLeast(.inactive)`.
    ///
    /// This is the condition for sensors, connections, and whatever else runs while the app is on
    /// the screen. A permission alert makes the app inactive, and cancels what is bound to
    /// ``active``.
    public static let foreground = atLeast(.inactive)

    /// Returns a Boolean value that indicates whether a phase meets the condition.
    public func contains(_ phase: LifecyclePhase) -> Bool {
      switch self {
      case .atLeast(let bound): phase >= bound
      case .atMost(let bound): phase <= bound
      case .background: phase == .background
      }
    }
  }
}

extension LifecyclePhase.Condition {
  /// The transitions that lead to a phase that meets the condition, in the condition's direction:
  /// upward for `atLeast`, otherwise downward, as a launch only goes through the background.
  var transitions: LifecycleEvent.Kinds {
    let candidates = if case .atLeast = self { Transition.upward } else { Transition.downward }
    var kinds: LifecycleEvent.Kinds = []
    for step in candidates where contains(step.target) { kinds = kinds.union([step.kind]) }
    return kinds
  }

  /// Reports a condition that every phase meets until the bus ends, so that it has no effect.
  ///
  /// - Parameters:
  ///   - consequence: The effect on the call.
  ///   - instead: The advice for callers who mean the end of the process.
  func reportIfAlwaysMet(
    _ consequence: String,
    atTheEnd instead: String = "observe willTerminate",
    _ site: CallSite
  ) {
    switch self {
    case .atLeast(.terminated):
      site.report(
        """
        \(consequence), because every phase is at least terminated. To act at the end of the \
        process, \(instead).
        """
      )
    case .atLeast(.unknown):
      site.report(
        """
        \(consequence), because every phase before the end is at least unknown. Choose background, \
        the phase of a process that has launched, or a higher phase.
        """
      )
    case .atMost(.active):
      site.report(
        """
        \(consequence), because every phase is at most active. Choose inactive or a lower phase.
        """
      )
    default: break
    }
  }
}

extension LifecyclePhase.Condition: CustomStringConvertible {
  /// The condition in words, such as "at least active".
  public var description: String {
    switch self {
    case .atLeast(let phase): "at least \(phase)"
    case .atMost(let phase): "at most \(phase)"
    case .background: "background"
    }
  }
}
