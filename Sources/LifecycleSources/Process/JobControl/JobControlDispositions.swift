/// The handlers that record `SIGTSTP` and `SIGCONT`, with the dispositions that they replace.
struct JobControlDispositions {
  private let previous: [SignalDisposition]

  /// The signals whose handlers it installed.
  var signals: [JobControlSignal] { previous.map(\.signal) }

  /// Installs the handlers. An ignored `SIGTSTP` stays ignored: it never stops the process.
  init() throws(ProcessSignalSource.StartError) {
    var previous: [SignalDisposition] = []
    for signal in [JobControlSignal.stop, .continue] {
      let disposition = SignalDisposition(current: signal)
      if signal == .stop, disposition.isIgnored { continue }
      disposition.keepForChild(replacedBy: SignalDisposition.recorder)
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

  /// Restores the previous dispositions where the handlers are still in place.
  func restore() {
    for disposition in previous { disposition.restore(ifStill: SignalDisposition.recorder) }
  }
}
