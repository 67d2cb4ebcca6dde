extension PhaseCondition {
  /// Reports a condition that every phase meets until the bus ends, so that it makes no difference.
  ///
  /// - Parameters:
  ///   - consequence: What becomes of the call.
  ///   - instead: What to do for those who mean the end of the process.
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
        which stands for a process that has launched, or a phase further forward.
        """
      )
    case .atMost(.active):
      site.report(
        """
        \(consequence), because every phase is at most active. Choose inactive, or a phase further \
        back.
        """
      )
    default: break
    }
  }
}
