public import LifecycleCore
import LifecycleSupport

import struct Foundation.UUID

/// The sessions of the user, as analytics count them.
///
/// A session begins with an opening, and lasts as long as the user returns within the time-out.
///
/// ```swift
/// sessions = LifecycleSessions(of: bus, in: journal, timeout: .seconds(30))
/// sessions.changes.sink { change in
///   switch change {
///   case .began(let session): print("Session \(session.number) begins")
///   case .ended(let session): print("It lasted \(session.timeInForeground)")
///   }
/// }
/// .store(in: scope)
/// ```
///
/// Keep it in a property, and create it at the launch, after the journal. If the app is open by
/// then, the visit under way counts from its opening. A launch in the background begins no session,
/// and neither does Control Center, an alert or a call.
///
/// In a journal, a session survives a kill, a crash and a restart of the device. Without one, it
/// ends with the process. No change of the wall clock affects a session; only after a restart of
/// the device, that clock decides. For details, see <doc:Sessions>.
///
/// Thread-safe.
public final class LifecycleSessions: Sendable {
  private struct State {
    var machine: SessionMachine
    /// Nil after the end of the bus.
    var journal: LifecycleJournal?
  }

  private let bus: LifecycleBusCore
  private let key: String
  private let site: CallSite
  private let state: Locked<State>
  private let stream = SessionStream()
  private let row: ListenerRow
  private let alarm: Alarm

  /// Creates sessions, or continues those that the last run of the program has saved.
  ///
  /// - Parameters:
  ///   - bus: The bus whose openings begin visits, and whose clock is used. It is not kept alive.
  ///   - journal: The journal that saves the sessions, in the entries of the transitions. It is
  ///     kept alive until the bus ends. Nil if the sessions end with the process.
  ///   - key: The name of the value in the journal. Sessions with another time-out need another.
  ///   - timeout: The time after which a return begins a new session. A negative time is treated as
  ///     zero: each visit is then a session.
  public init(
    of bus: some LifecycleBusProtocol,
    in journal: LifecycleJournal? = nil,
    forKey key: String = "LifecycleSessions",
    timeout: Duration = .seconds(30),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    (self.bus, self.key, site) = (bus.core, key, CallSite(fileID, filePath, line, column))
    let (boot, run) = (bus.clock.bootID, journal?.runNumber ?? 0)
    let machine = SessionMachine(timeout: timeout, boot: boot, run: run)
    state = Locked(State(machine: machine, journal: journal))
    row = ListenerRow(
      ownedOn: self.bus,
      kinds: [.willEnterForeground, .didEnterBackground, .willTerminate],
      site: site,
      preparation: .wayDownAndReturn
    )
    alarm = Alarm(bus.clock)
    if let journal { restore(from: journal) }
    row.setOwner(self)
    stream.setSessions(self)
    self.bus.listen(row)
  }

  deinit {
    row.cancel()
    alarm.end()
    bus.perform(inTurnOf: nil) { [stream] in for row in stream.rows { row.finish() } }
  }

  /// The session under way, with the time up to now; nil before the first opening, and when the
  /// user has been away for the time-out.
  ///
  /// Observers of `willEnterForeground` find the session of that opening.
  public var current: LifecycleSession? {
    let now = bus.clock.continuous
    return state.withLock { $0.machine.current(at: now) }
  }

  /// The beginning or the end of a session.
  public enum Change: Sendable, Hashable {
    /// A session has begun, with its first visit.
    case began(LifecycleSession)
    /// A session has ended, at its ``LifecycleSession/leftAt``.
    case ended(LifecycleSession)
  }

  /// A publisher of the beginning and the end of each session, delivered where the bus delivers.
  ///
  /// An end is published as soon as it is certain: when the time-out has passed, or at the next
  /// opening or launch if the process did not run then. It comes before the beginning of the next
  /// session.
  ///
  /// What is not published yet waits for the first subscriber, also in the next process: the end of
  /// the session before, and the beginning and the end of the last one. If a process is killed
  /// while a change is being published, the change is published again.
  public var changes: LifecyclePublisher<Change> { LifecyclePublisher(of: stream, on: bus) }

  /// Continues what the journal has saved.
  private func restore(from journal: LifecycleJournal) {
    do {
      guard let saved = try journal.value(SessionMachine.State.self, forKey: key) else { return }
      let now = bus.clock.now
      let last: SessionMachine.LastRun = (
        journal.runNumber - 1, journal.previousSignOfLife,
        journal.previousRun.exit != .endedProperly
      )
      if state.withLock({ $0.machine.restore(saved, after: last, at: now) }) { save() }
    } catch {
      site.report(
        """
        The journal's value for "\(key)" was not saved by LifecycleSessions, so sessions count from \
        1 and will replace it. Pass another key: \(error)
        """
      )
    }
  }

  /// Saves the state in the journal: with the transition in delivery if that is not written yet,
  /// and else after it.
  private func save() {
    guard let journal = state.withLock({ $0.journal }), !journal.core.isClosed else { return }
    let value = SavedValue(forKey: key, in: "sessions", site) { [self] in
      try LifecycleJournal.encode(state.withLock { $0.machine.state })
    }
    journal.core.savedValues.add(value, isNewest: true)
    journal.core.saveValues(inTurnOf: journal.row, of: journal.bus)
  }

  private func open(at instant: LifecycleInstant) {
    state.withLock { $0.machine.open(at: instant) { UUID().uuidString.lowercased() } }
    save()
  }

  /// Publishes what is certain by now, and sets the timer for what will be.
  private func takeTurn() {
    let now = bus.clock.continuous
    if state.withLock({ $0.machine.expire(at: now) }) { save() }
    publish()
    alarm.set(for: state.withLock { $0.machine.deadline }) { [weak self] in
      guard let self else { return }
      bus.perform(inTurnOf: row) { [self] in takeTurn() }
    }
  }

  fileprivate func publish() {
    var hasPublished = false
    while case let rows = stream.rows, !rows.isEmpty,
      let change = state.withLock({ $0.machine.nextChange() })
    {
      for row in rows { row.publish(change) }
      hasPublished = true
    }
    if hasPublished { save() }
  }
}

extension LifecycleSessions: BusListener {
  package func join(at delivered: DeliveredState) {
    if delivered.phase.isForeground { open(at: bus.opening?.instant ?? delivered.instant) }
    takeTurn()
  }

  /// Changes the session before any observer asks for it, and before the journal writes the
  /// transition. Subscribers are notified after that.
  package func prepare(for event: LifecycleEvent) {
    switch event.kind {
    case .willEnterForeground: open(at: event.instant)
    case .didEnterBackground:
      state.withLock { $0.machine.leave(at: event.instant) }
      save()
    default: break
    }
  }

  package func receive(_ event: LifecycleEvent) {
    if event.kind == .willTerminate {
      let (journal, id) = state.withLock { ($0.journal, $0.machine.state.session?.id) }
      let saved = try? journal?.value(SessionMachine.State.self, forKey: key)
      // The next process continues what the journal has.
      let isLast = saved?.session?.id != id
      if isLast { state.withLock { _ = $0.machine.expire(at: .boot + .seconds(Int64.max)) } }
    }
    takeTurn()
  }

  package func busDidEnd() {
    alarm.end()
    state.discard { $0.journal.take() }
  }
}

/// The subscribers of sessions, which do not keep them alive.
private final class SessionStream: FeatureStream {
  private struct State {
    var rows: [FeatureRow<LifecycleSessions.Change>] = []
    weak var sessions: LifecycleSessions?
  }

  private let state = Locked(State())

  func setSessions(_ sessions: LifecycleSessions) { state.withLock { $0.sessions = sessions } }

  var rows: [FeatureRow<LifecycleSessions.Change>] {
    state.withLock { $0.rows.unsharedForSanitizer }
  }

  func join(_ row: FeatureRow<LifecycleSessions.Change>) {
    let sessions = state.withLock { state in
      state.rows.append(row)
      return state.sessions
    }
    if let sessions { sessions.publish() } else { row.finish() }
  }

  func leave(_ row: FeatureRow<LifecycleSessions.Change>) {
    state.discard { state in
      defer { state.rows.removeAll { $0 === row } }
      return state.rows
    }
  }
}
