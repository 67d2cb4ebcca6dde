import LifecycleSupport
public import ReactiveLifecycle

/// The focus of the terminal as a source of a bus.
///
/// Connect it as a ceiling: without the focus the program is at most `inactive`.
///
/// | what happens | what the bus receives |
/// | --- | --- |
/// | connecting before the first report | nothing: the focus does not count |
/// | the terminal loses the focus | `willResignActive` |
/// | the terminal gains the focus | `didBecomeActive` |
///
/// A program that reads its own input feeds a ``TerminalInputParser`` and passes on what it
/// returns:
///
/// ```swift
/// let focus = TerminalFocus()
/// try bus.connect(focus, as: .ceiling).store(in: scope)
/// var parser = TerminalInputParser()
/// for bytes in reads {
///   let input = parser.feed(bytes)
///   focus.report(input)
///   keys += input.bytes
/// }
/// ```
///
/// Terminals report the focus only after the program has written `ESC [ ? 1004 h`, and only to a
/// program that has turned off the line-wise input and the echo of its terminal. Most of them
/// report changes alone, and tmux, with `focus-events on`, the focus that it finds, too. Before it
/// stops or ends, the program writes `ESC [ ? 1004 l`; otherwise the shell receives the reports as
/// keys. ``TerminalSession`` does all of that.
///
/// Observers of a `NonisolatedLifecycleBus` run on the thread that reports. Thread-safe.
public final class TerminalFocus: LifecycleSource {
  private struct State {
    var isFocused: Bool?
    var connections: [FocusConnection] = []
  }

  private let state = Locked(State())

  /// Creates a source that has no report yet.
  public init() {}

  /// The name of the source, `terminalFocus`.
  public var name: LifecycleSourceName { "terminalFocus" }

  /// A Boolean value that indicates whether the terminal has the focus; nil before the first
  /// report.
  public var isFocused: Bool? { state.withLock { $0.isFocused } }

  /// Sends the last report, if there is one, and each further one.
  public func start(_ input: LifecycleFeed) -> @Sendable () -> Void {
    let connection = state.withLock { state in
      let connection = FocusConnection(input, found: state.isFocused)
      state.connections.append(connection)
      return connection
    }
    connection.send(on: .calling)
    return { self.remove(connection) }
  }

  /// Reports that the terminal has gained or lost the focus.
  ///
  /// - Parameter isFocused: Whether the terminal has the focus.
  public func report(isFocused: Bool) {
    report(isFocused, on: .calling)
  }

  /// Reports each change of the focus in an input, in order.
  ///
  /// - Parameter input: The input that a ``TerminalInputParser`` has returned.
  public func report(_ input: TerminalInput) {
    for report in input.focusReports { self.report(isFocused: report.isFocused) }
  }

  private func remove(_ connection: FocusConnection) {
    state.discard { state in
      state.connections.firstIndex { $0 === connection }.map { state.connections.remove(at: $0) }
    }
  }
}

extension TerminalFocus {
  /// Reports that the terminal has gained or lost the focus.
  func report(_ isFocused: Bool, on thread: FocusConnection.Thread) {
    update(on: thread) { state in
      state.isFocused = isFocused
      return isFocused
    }
  }

  /// Forgets the last report, because the terminal reports no more: the focus limits nothing.
  func forget() {
    update(on: .another) { state in
      defer { state.isFocused = nil }
      return state.isFocused == false ? true : nil
    }
  }

  /// Changes the state, and sends what the body returns to all buses.
  private func update(on thread: FocusConnection.Thread, _ body: (inout State) -> Bool?) {
    let senders = state.withLock { state in
      let report = body(&state)
      return report.map { report in state.connections.filter { $0.add(report) } } ?? []
    }
    for connection in senders { connection.send(on: thread) }
  }
}
