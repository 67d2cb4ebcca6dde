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
