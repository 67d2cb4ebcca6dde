/// Records `SIGTSTP` and `SIGCONT`, and knows what was there.
struct JobControlDispositions {
  private let previous: [SignalDisposition]

  /// Installs the handlers. An ignored `SIGTSTP` stays ignored: the process never stops by it.
  init() throws(ProcessSignalSource.StartError) {
    var previous: [SignalDisposition] = []
    for signal in [JobControlSignal.stop, .continue] {
      let disposition = SignalDisposition(current: signal)
      if signal == .stop, disposition.isIgnored { continue }
      do throws(ProcessSignalSource.StartError) {
        try SignalDisposition.install(.recording, for: signal)
      } catch {
        for disposition in previous { disposition.restore(ifStill: SignalDisposition.recorder) }
        throw error
      }
      previous.append(disposition)
    }
    self.previous = previous
  }

  /// Restores what was there, where the handlers are still in place.
  func restore() {
    for disposition in previous { disposition.restore(ifStill: SignalDisposition.recorder) }
  }
}
