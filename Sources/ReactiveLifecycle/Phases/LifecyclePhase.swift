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
