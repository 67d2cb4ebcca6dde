extension LifecyclePhase.Condition {
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
    switch bound {
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
