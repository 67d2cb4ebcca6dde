import CLifecycleShims
import LifecycleSupport

/// The process's disposition of a signal, as read from the system.
struct SignalDisposition {
  /// A handler of this module.
  enum Handler {
    /// Posts a message to the pipe.
    case posting
    /// Only prevents the default action.
    case idle

    /// The handler as a number, for comparison.
    var number: UInt { UInt(lifecycle_handler_number(self == .posting)) }
  }

  /// A Boolean value that indicates whether a signal is about to end the process by its default
  /// action, which a connection that is being made must not replace.
  private static let isFinal = Locked(false)

  let signal: JobControlSignal
  private var action = sigaction()

  /// Creates the disposition that is currently in force.
  init(current signal: JobControlSignal) {
    self.signal = signal
    sigaction(signal.number, nil, &action)
  }

  /// The handler as a number, for comparison.
  var handler: UInt {
    var action = action
    return UInt(lifecycle_handler(&action))
  }
  var isDefault: Bool { handler == 0 }
  var isIgnored: Bool { handler == 1 }

  /// Puts the disposition in force, for its own signal or another.
  func install(for other: JobControlSignal? = nil) {
    Self.isFinal.withLock { isFinal in
      var action = action
      if !isFinal { sigaction((other ?? signal).number, &action, nil) }
    }
  }

  /// Has this type change no disposition from now on.
  static func makeFinal() { isFinal.withLock { $0 = true } }

  /// Puts the disposition in force if the current handler is still the given one; a handler that
  /// another party has installed stays.
  func restore(ifStill handler: UInt) {
    if Self(current: signal).handler == handler { install() }
    lifecycle_forget_for_child(signal.number)
  }

  /// Until `restore(ifStill:)`, has a child by fork(2) get the disposition back, if the given
  /// handler is in place then.
  func keepForChild(replacedBy handler: UInt) {
    var action = action
    lifecycle_keep_for_child(signal.number, &action, handler)
  }

  /// Makes a handler of this module the disposition of the signal, until `restore(ifStill:)`.
  ///
  /// - Returns: The disposition that was in force.
  static func replace(_ signal: JobControlSignal, by handler: Handler) throws -> Self {
    let previous = Self(current: signal)
    previous.keepForChild(replacedBy: handler.number)
    try install(handler, for: signal)
    return previous
  }

  /// Makes a handler of this module the disposition of the signal.
  static func install(_ handler: Handler, for signal: JobControlSignal) throws {
    let isInstalled = isFinal.withLock { isFinal in
      isFinal || lifecycle_install(signal.number, handler == .posting) == 0
    }
    guard isInstalled else {
      throw ProcessSignalSource.StartError(step: .handler(signal: signal.name), errno: errno)
    }
  }
}
