import Foundation

private let observedSignals = [SIGHUP, SIGINT, SIGTERM, SIGCONT, SIGTSTP]

/// SIGQUIT and the signals of crashes.
private let foreignSignals = [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

/// Handler, mask and flags of every signal that the source may touch, and of those that it must not.
func currentDispositions() -> [String] {
  (observedSignals + foreignSignals).map { number in
    var action = sigaction()
    sigaction(number, nil, &action)
    let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    // Without a handler it has no effect, and the thread sanitizer fills in another.
    let mask = handler < 2 ? 0 : withUnsafeBytes(of: action.sa_mask) { $0.load(as: UInt64.self) }
    // The C library's own flag, set as soon as a disposition has been set at all.
    let flags = action.sa_flags & ~0x0400_0000
    return "\(number): handler \(handler) mask \(mask) flags \(flags)"
  }
}

/// Handlers with masks and flags that nobody else would choose.
func installOwnHandlers() {
  for (index, number) in observedSignals.enumerated() {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    action.sa_flags = CInt(truncatingIfNeeded: index.isMultiple(of: 2) ? SA_NODEFER : SA_RESTART)
    sigaddset(&action.sa_mask, SIGWINCH)
    sigaction(number, &action, nil)
  }
}
