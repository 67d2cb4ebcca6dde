public import LifecycleCore
import LifecycleProcess
import LifecycleSupport

extension LifecycleBusProtocol {
  /// Connects the sources of this module until a scope ends.
  ///
  /// They are ``SystemClockSource``, ``ProcessPauseSource`` and ``MemoryPressureSource``. A source
  /// that lacks what it needs on this machine reports nothing, save the pauses by `SIGSTOP`.
  ///
  /// ```swift
  /// let bus = LifecycleBus()
  /// try bus.connect(.processSignals(), in: scope)
  /// print(try bus.connectSystem(in: scope))
  /// ```
  ///
  /// ```text
  /// systemClock: available, by a timer of the kernel
  /// processPauses: unavailable, because the topmost control group is never frozen, and there is no heartbeat
  /// memoryPressure: available, by the control group
  /// ```
  ///
  /// - Parameters:
  ///   - scope: The scope whose end disconnects the sources.
  ///   - heartbeat: The interval at which ``ProcessPauseSource`` wakes the process; nil for none.
  /// - Returns: What each source can report, for a log.
  /// - Throws: `ProcessSignalSource.StartError` if the system is short of threads or descriptors.
  ///   None is connected then.
  @discardableResult
  public func connectSystem(
    in scope: consuming LifecycleScope,
    heartbeat: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) throws -> SystemConnections {
    let sources: [any SystemSource] = [
      .systemClock(), .processPauses(heartbeat: heartbeat), .memoryPressure(),
    ]
    let connections = try sources.map { try connect($0) }
    let site = CallSite(fileID, filePath, line, column)
    let scope = (consume scope).core
    for connection in connections {
      connection.store(in: scope, site)
      // Reported once; the release of the others disconnects them.
      if scope.isEnded { break }
    }
    return SystemConnections(
      entries: sources.map { .init(source: $0.name, availability: $0.availability) }
    )
  }
}

/// The sources that `connectSystem` has connected, with what each can report on this machine.
public struct SystemConnections: Hashable, Sendable {
  /// A source and what it can report.
  public struct Entry: Hashable, Sendable {
    /// The name of the source.
    public var source: LifecycleSourceName
    /// The availability of what the source reports by.
    public var availability: SystemAvailability
  }

  /// The sources, in the order in which they were connected.
  public var entries: [Entry]
}

extension SystemConnections: CustomStringConvertible {
  /// A line for each source, such as `memoryPressure: available, by the control group`.
  public var description: String {
    entries.map { "\($0.source): \($0.availability)" }.joined(separator: "\n")
  }
}

/// The answer to whether a source can report anything on this machine.
///
/// The lack of a facility is no error: a source without it connects, and reports nothing.
///
/// ```swift
/// if case .unavailable(let reason) = MemoryPressureSource.memoryPressure().availability {
///   print("no memory warnings: \(reason)")
/// }
/// ```
public enum SystemAvailability: Hashable, Sendable {
  /// The source reports, by the facility with this name.
  case available(by: String)
  /// The source reports nothing, for this reason.
  case unavailable(because: String)
}

extension SystemAvailability: CustomStringConvertible {
  /// The text `available, by …` or `unavailable, because …`.
  public var description: String {
    switch self {
    case .available(let facility): "available, by \(facility)"
    case .unavailable(let reason): "unavailable, because \(reason)"
    }
  }
}

/// A source that knows whether the machine has what it needs.
///
/// A bus that it is connected to receives its events where the bus delivers, never on the thread
/// that waits for them.
package protocol SystemSource: LifecycleSource {
  /// The facility by which the source reports, or the reason why it reports nothing.
  ///
  /// Each access asks the system. Connecting does not require it.
  var availability: SystemAvailability { get }
}

#if !os(Linux)
  extension SystemSource {
    public func start(_ feed: LifecycleFeed) -> @Sendable () -> Void { {} }
  }

  // Each type declares it, because the protocol is not public.

  extension SystemClockSource {
    public var availability: SystemAvailability { .needsLinux }
  }

  extension ProcessPauseSource {
    public var availability: SystemAvailability { .needsLinux }
  }

  extension MemoryPressureSource {
    public var availability: SystemAvailability { .needsLinux }
  }

  extension SystemAvailability {
    fileprivate static let needsLinux = Self.unavailable(because: "it needs Linux")
  }
#endif

extension LifecycleFeed {
  /// Sends a notice without waiting for observers; a nonisolated bus delivers on another thread.
  func post(_ kind: LifecycleEvent.Kind, _ metadata: [String: String]) {
    _ = send(kind, metadata: metadata) {}
  }
}

extension LifecycleEvent {
  /// The duration that a source of this module has put into the metadata; nil if it has not.
  func metadataDuration(_ key: String) -> Duration? {
    metadata[key].flatMap { Duration(seconds: $0) }
  }
}

extension Duration {
  /// Parses the text that `Duration.text` returns, such as `-0.25 s`; nil if it is none.
  init?(seconds text: String) {
    guard let match = text.wholeMatch(of: /(-?)([0-9]+)(?:\.([0-9]{1,18}))? s/),
      let seconds = Int64(match.2)
    else { return nil }
    let fraction = match.3 ?? "0"
    let attoseconds = fraction + String(repeating: "0", count: 18 - fraction.count)
    let value = Duration(
      secondsComponent: seconds,
      attosecondsComponent: Int64(attoseconds) ?? 0
    )
    self = match.1.isEmpty ? value : .zero - value
  }
}

#if os(Linux)

  extension ProcessThread {
    /// Adds watches, and returns the closure that removes and closes them.
    ///
    /// - Parameters:
    ///   - watches: The watches of one source.
    ///   - close: Closes what they use, also if one of them can't be added.
    static func run(
      _ watches: [any ProcessWatch],
      close: @escaping @Sendable () -> Void
    ) throws(ProcessSignalSource.StartError) -> @Sendable () -> Void {
      let stop: @Sendable () -> Void = {
        guard !isForkedChild else { return }
        for watch in watches { remove(watch) }
        close()
      }
      do throws(ProcessSignalSource.StartError) {
        for watch in watches { try add(watch) }
      } catch {
        stop()
        throw error
      }
      return stop
    }
  }
#endif
