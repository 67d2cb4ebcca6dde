#if Services
  import ReactiveLifecycle

  /// A state machine that decides what the service manager is notified of.
  ///
  /// It is pure: each input returns the fields of one message, or none for no message.
  struct NotifyMachine: Hashable, Sendable {
    enum Input: Hashable, Sendable {
      /// The bus is in a phase.
      case phase(LifecyclePhase)
      /// The program is ready.
      case ready
      /// A reload begins, at a reading of the monotonic clock in microseconds.
      case reload(at: Int64)
      /// The observers of a reload have returned.
      case reloaded
      /// The process ends, by the signal if there is one.
      case end(signal: String?)
      case status(String)
    }

    private enum State: Hashable, Sendable {
      case starting
      case ready
      /// This number of reloads is under way.
      case reloading(Int)
      case stopping
    }

    private let condition: LifecyclePhase.Condition?
    private var state = State.starting

    /// - Parameter condition: The phases in which the program is ready; nil if it reports that
    ///   itself.
    init(readyWhen condition: LifecyclePhase.Condition?) {
      self.condition = condition
    }

    /// Handles an input, and returns the fields of the message.
    mutating func handle(_ input: Input) -> [String] {
      switch (input, state) {
      case (.phase(let phase), .starting) where condition?.contains(phase) == true:
        return handle(.ready)
      case (.ready, .starting):
        state = .ready
        return ["READY=1"]
      case (.reload(let time), .ready):
        state = .reloading(1)
        return Self.reloading(at: time)
      case (.reload(let time), .reloading(let count)):
        state = .reloading(count + 1)
        return Self.reloading(at: time)
      case (.reloaded, .reloading(1)):
        state = .ready
        return ["READY=1"]
      case (.reloaded, .reloading(let count)):
        state = .reloading(count - 1)
        return []
      case (.end(let signal), .starting), (.end(let signal), .ready),
        (.end(let signal), .reloading):
        state = .stopping
        return Self.stopping(after: signal)
      case (.status(let text), _):
        // A message is a list of lines.
        return ["STATUS=\(text.split(whereSeparator: \.isNewline).joined(separator: " "))"]
      default:
        return []
      }
    }

    static func stopping(after signal: String?) -> [String] {
      ["STOPPING=1", "STATUS=Stopping\(signal.map { " after \($0)" } ?? "")"]
    }

    private static func reloading(at time: Int64) -> [String] {
      ["RELOADING=1", "MONOTONIC_USEC=\(time)"]
    }
  }
#endif
