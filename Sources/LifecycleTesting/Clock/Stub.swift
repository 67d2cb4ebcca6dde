import ReactiveLifecycle

extension ManualClock {
  package var elapsed: Duration { continuous }
  package func dropTimers() {}
  func restartDevice(for: Duration) {}
}
