/// Where a process is in its life.
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
  /// The end: nothing is delivered any more.
  case terminated
  /// Nothing has been heard yet. A process can run for long before its user opens it.
  case unknown
  /// Running, or about to be suspended, out of sight.
  case background
  /// In sight, not receiving input.
  case inactive
  /// In sight and receiving input.
  case active

  /// Whether the user can see the process: `inactive` or `active`.
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
