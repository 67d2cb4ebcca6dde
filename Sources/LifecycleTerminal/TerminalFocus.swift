public import LifecycleCore
import LifecycleSupport

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
/// ```swift
/// try bus.connect(terminal.focus, as: .ceiling, in: scope)
/// ```
///
/// When the ``TerminalSession`` gives the terminal back, it forgets the focus, which then limits
/// nothing until the next report. A `NonisolatedLifecycleBus` delivers the reports on a separate
/// thread. Thread-safe.
public final class TerminalFocus: LifecycleSource {
  private struct State {
    var isFocused: Bool?
    var connections: [FocusConnection] = []
  }

  private let state = Locked(State())

  /// Creates a source that has no report yet.
  package init() {}

  /// The name of the source, `terminalFocus`.
  public var name: LifecycleSourceName { "terminalFocus" }

  /// A Boolean value that indicates whether the terminal has the focus; nil before the first
  /// report.
  package var isFocused: Bool? { state.withLock { $0.isFocused } }

  /// Sends the last report, if there is one, and each further one.
  public func start(_ feed: LifecycleFeed) -> @Sendable () -> Void {
    let connection = state.withLock { state in
      let connection = FocusConnection(feed, found: state.isFocused)
      state.connections.append(connection)
      return connection
    }
    connection.send(on: .calling)
    return { self.remove(connection) }
  }

  private func remove(_ connection: FocusConnection) {
    state.discard { state in
      state.connections.firstIndex { $0 === connection }.map { state.connections.remove(at: $0) }
    }
  }
}

extension TerminalFocus {
  /// Reports that the terminal has gained or lost the focus.
  package func report(isFocused: Bool, on thread: FocusThread = .another) {
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
  private func update(on thread: FocusThread, _ body: (inout State) -> Bool?) {
    let senders = state.withLock { state in
      let report = body(&state)
      return report.map { report in state.connections.filter { $0.add(report) } } ?? []
    }
    for connection in senders { connection.send(on: thread) }
  }
}

/// The thread on which a nonisolated bus delivers a report of the focus.
package enum FocusThread {
  /// The calling thread, as for other sources.
  case calling
  /// Another one: no observer runs on the thread of the process source.
  case another
}

/// The connection of one bus to the focus of the terminal.
private final class FocusConnection: Sendable {
  private let feed: LifecycleFeed
  private let outbox: Locked<FocusOutbox>

  init(_ feed: LifecycleFeed, found: Bool?) {
    self.feed = feed
    outbox = Locked(FocusOutbox(found: found))
  }

  /// Adds a report. Returns true if the caller is to send.
  func add(_ isFocused: Bool) -> Bool {
    outbox.withLock { $0.add(isFocused) }
  }

  func send(on thread: FocusThread) {
    while let reports = outbox.withLock({ $0.take() }) {
      for isFocused in reports {
        let kind: LifecycleEvent.Kind = isFocused ? .didBecomeActive : .willResignActive
        switch thread {
        case .calling: feed.send(kind)
        case .another: _ = feed.send(kind, completion: {})
        }
      }
    }
  }
}

/// The inputs that wait to be sent to one bus, in order.
///
/// Only one thread at a time sends: the one that found no other sending, or that connects the bus.
private struct FocusOutbox {
  private var waiting: [Bool]
  private var isSending: Bool

  /// Creates the outbox of a bus that is being connected, for which the caller sends.
  init(found: Bool?) {
    waiting = found.map { [$0] } ?? []
    isSending = true
  }

  /// Adds an input.
  ///
  /// - Returns: True if the caller is to send.
  mutating func add(_ isFocused: Bool) -> Bool {
    waiting.append(isFocused)
    defer { isSending = true }
    return !isSending
  }

  /// Returns the inputs that the caller sends next; nil if it has sent all of them.
  mutating func take() -> [Bool]? {
    isSending = !waiting.isEmpty
    defer { waiting = [] }
    return isSending ? waiting : nil
  }
}
