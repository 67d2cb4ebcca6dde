import Foundation
public import LifecycleCore

/// One line of the probe's standard output: something that happened to it, or that it did.
public struct ProbeLine: Codable, Hashable, Sendable {
  public enum Content: Codable, Hashable, Sendable {
    /// The source is connected; what follows has happened after that.
    case ready
    case event(LifecycleEvent)
    case suppressed(LifecycleEvent.Kind, reason: String)

    /// The slow observer of this kind returns.
    case slowObserverFinished(String)
    case overrun(String)

    /// The answer to SIGUSR1. What had happened before it has been printed before it.
    case pong
    case disconnected
    case reconnected

    /// The dispositions of the signals in question, in the order of their numbers.
    case dispositions([String])
    case resources(descriptors: Int, threads: Int)
    case signalCounts(SignalCounts)

    /// Signal masks of a process that the probe has spawned, by way of which call.
    case child(by: String, blocked: UInt64, ignored: UInt64)

    /// The probe's own Dispatch source for SIGTERM was called.
    case ownTermSource
    case readFromTerminal(String)
    /// Anything else that a test compares.
    case note(String)

    /// An observer was asked whether the signal may end the process.
    case exitRequest(String, answer: String)
    /// The observer that never answers is no longer asked.
    case exitRequestWithdrawn

    case taskBegan(String, isGranted: Bool)
    case taskEnded(String)
    /// Its expiration handler was called.
    case taskExpired(String)

    /// What a watch on the thread of the process was called for.
    case watch(String)
    case paused(Duration)

    /// What the sources of the system can report.
    case system(String)
  }

  public var content: Content

  /// When it was printed, on the continuous clock.
  public var nanoseconds: Int64

  public init(_ content: Content) {
    self.content = content
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    nanoseconds = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  public var event: LifecycleEvent? {
    if case .event(let event) = content { event } else { nil }
  }

  /// The line in a few words, for comparisons that read well.
  public var summary: String {
    switch content {
    case .ready: "ready"
    case .event(let event):
      "\(event.sequenceNumber) \(event.kind.rawValue) \(event.origin.summary)"
    case .suppressed(let kind, let reason): "suppressed \(kind.rawValue) \(reason)"
    case .slowObserverFinished(let kind): "slow observer of \(kind) finished"
    case .overrun: "overrun"
    case .pong: "pong"
    case .disconnected: "disconnected"
    case .reconnected: "reconnected"
    case .dispositions: "dispositions"
    case .resources: "resources"
    case .signalCounts: "signal counts"
    case .child(let call, _, _): "child by \(call)"
    case .ownTermSource: "own source for SIGTERM"
    case .readFromTerminal(let text): "read \(text)"
    case .exitRequest(let signal, let answer): "asked for \(signal): \(answer)"
    case .exitRequestWithdrawn: "no longer asked"
    case .note(let text): text
    case .taskBegan(let name, let isGranted): "\(name) \(isGranted ? "began" : "refused")"
    case .taskEnded(let name): "\(name) ended"
    case .taskExpired(let name): "\(name) expired"
    case .watch(let occasion): occasion
    case .paused: "paused"
    case .system: "system"
    }
  }
}

extension LifecycleEvent.Origin {
  fileprivate var summary: String {
    if case .source = self { "source" } else { description }
  }
}

extension Sequence<ProbeLine> {
  public var summaries: [String] { map(\.summary) }
  public var events: [LifecycleEvent] { compactMap(\.event) }

  public var dispositions: [[String]] {
    compactMap { if case .dispositions(let list) = $0.content { list } else { nil } }
  }
}

/// Who received the signals that the probe has sent itself.
public struct SignalCounts: Codable, Hashable, Sendable {
  public var sent: Int
  public var byBus: Int
  /// By the handler that the program had installed before.
  public var byHandler: Int

  public init(sent: Int, byBus: Int, byHandler: Int) {
    self.sent = sent
    self.byBus = byBus
    self.byHandler = byHandler
  }
}
