import LifecycleSupport
import ReactiveLifecycle

/// The connection of one bus to the engine.
///
/// A connection joins the engine first and then reports the phase that it found. Announcements that
/// the engine makes meanwhile are held back until the report is sent, so that a bus sees every
/// transition after the report, once, and none before it.
final class SignalConnection: Sendable {
  private struct Gate {
    var isReporting = true
    var held: [SignalAnnouncement] = []
    /// A Boolean value that indicates whether the bus has ended for an announcement of this
    /// connection.
    var hasEnded = false
  }

  let source: ProcessSignalSource
  let input: LifecycleFeed
  private let gate = Locked(Gate())

  init(source: ProcessSignalSource, input: LifecycleFeed) {
    self.source = source
    self.input = input
  }

  /// Sends the phase on the calling thread, then begins the announcements that were held back.
  func report(_ terminal: TerminalState) {
    if terminal == .foreground {
      _ = input.send(.didBecomeActive)
    } else if input.send(.didFinishLaunching).suppressionReason != nil {
      // The bus already has a phase, from an earlier connection: only this event can lower it.
      _ = input.send(.didEnterBackground)
    }
    while let announcements = takeHeld() {
      for announcement in announcements { deliver(announcement) }
    }
  }

  /// Finishes the announcements that were held back, because the connection failed and reports
  /// nothing. The engine waits for some of them.
  func abandon() {
    while let announcements = takeHeld() {
      for announcement in announcements { announcement.finish(self) }
    }
  }

  /// Passes an announcement to the bus, without waiting for its observers.
  func begin(_ announcement: SignalAnnouncement) {
    let isHeld = gate.withLock { gate in
      if gate.isReporting { gate.held.append(announcement) }
      return gate.isReporting
    }
    if !isHeld { deliver(announcement) }
  }

  /// Returns the announcements that were held back; nil, permanently, if there are none.
  private func takeHeld() -> [SignalAnnouncement]? {
    gate.withLock { gate in
      gate.isReporting = !gate.held.isEmpty
      defer { gate.held = [] }
      return gate.isReporting ? gate.held : nil
    }
  }

  private func deliver(_ announcement: SignalAnnouncement) {
    let outcome = input.send(
      announcement.eventKind,
      at: input.usesSystemClock ? announcement.moment.map(LifecycleInstant.init) : nil,
      metadata: announcement.signal.map { ["signal": $0.name] } ?? [:]
    ) {
      announcement.finish(self)
    }
    if accepts(outcome, announcement) { announcement.noteAccepted() }
  }

  /// Returns true if the bus has received the announcement.
  ///
  /// A bus that was released before has not received it. A bus that another source has ended, such
  /// as a service group that takes the same signal, counts as having received it.
  private func accepts(_ outcome: LifecycleSendOutcome, _ announcement: SignalAnnouncement) -> Bool
  {
    switch outcome.suppressionReason {
    case .disconnected: false
    case .terminated: input.hasAcceptedTermination || gate.withLock { $0.hasEnded }
    default:
      gate.withLock { gate in
        if announcement.kind == .termination { gate.hasEnded = true }
        return true
      }
    }
  }
}

extension LifecycleInstant {
  /// Creates the instant of a signal.
  init(_ moment: SignalMoment) {
    self.init(
      continuous: ContinuousInstant(timeSinceBoot: .nanoseconds(moment.continuous)),
      timeAwake: .nanoseconds(moment.suspending),
      timeSince1970: .nanoseconds(moment.wall)
    )
  }
}
