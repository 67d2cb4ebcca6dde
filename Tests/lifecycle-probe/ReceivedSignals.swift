import Foundation
import Synchronization
import TestSupport

/// How often signals were received.
enum ReceivedSignals {
  static let byBus = Atomic(0)
  static let byHandler = Atomic(0)

  static var total: Int {
    byBus.load(ordering: .sequentiallyConsistent)
      + byHandler.load(ordering: .sequentiallyConsistent)
  }

  /// Waits until that many were received; returns false if there are fewer, or more.
  static func wait(for sent: Int) -> Bool {
    eventually { total >= sent } && total == sent
  }

  /// Installs a handler of the program's own, which counts.
  static func installHandler(of signal: CInt) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      ReceivedSignals.byHandler.add(1, ordering: .sequentiallyConsistent)
    }
    action.sa_flags = CInt(SA_RESTART)
    sigaction(signal, &action, nil)
  }

  static func counts(sent: Int) -> SignalCounts {
    SignalCounts(
      sent: sent,
      byBus: byBus.load(ordering: .sequentiallyConsistent),
      byHandler: byHandler.load(ordering: .sequentiallyConsistent)
    )
  }
}
