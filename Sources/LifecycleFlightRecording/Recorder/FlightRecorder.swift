import DequeModule
import LifecycleSupport
public import ReactiveLifecycle

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A bounded recorder of everything that happens on a bus.
///
/// ```swift
/// let recorder = FlightRecorder(of: bus)
/// ```
///
/// The recorder keeps the latest records. It records until it is cancelled or released, or until
/// the bus ends.
public final class FlightRecorder: Sendable {
  private struct State {
    var start: FlightRecording.Start
    var records: Deque<FlightRecord> = []
    /// The number of the first record that is kept.
    var first = 0
    var wake: (@Sendable () -> Void)?
  }

  private let capacity: Int
  private let process: FlightRecording.Process
  private let state: Locked<State>
  private let clock: any LifecycleClock
  private let subscriptions = Locked<[LifecycleSubscription]>([])

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - bus: The bus to record.
  ///   - capacity: The number of records to keep.
  public init(of bus: some LifecycleBusProtocol, capacity: Int = 10_000) {
    self.capacity = max(capacity, 1)
    let clock = bus.core.clock
    self.clock = clock
    process = .init(name: CommandLine.arguments.first ?? "", id: getpid(), bootID: clock.bootID)
    state = Locked(State(start: .init(at: clock.now, phase: bus.phase)))
    let core = bus.core
    let added = [
      core.addTranscriber { [weak self] event in
        guard let self else { return }
        append(.init(.event(event), at: event.instant))
      },
      core.addTranscriber(ofSuppressed: { [weak self] input in
        guard let self else { return }
        let content = FlightInput(input.kind, from: 0, suppressed: input.reason)
        append(.init(.input(content), at: input.instant))
      }),
    ]
    subscriptions.withLock { $0 = added }
  }

  /// The records that are kept, as a recording.
  public var recording: FlightRecording {
    state.withLock { state in
      FlightRecording(process: process, start: state.start, records: Array(state.records))
    }
  }

  /// Records a note of the program.
  public func note(_ text: String) {
    append(FlightRecord(.note(text), at: clock.now))
  }

  /// Stops recording. What was recorded is kept.
  public func cancel() {
    let taken = subscriptions.withLock { subscriptions in
      defer { subscriptions = [] }
      return subscriptions
    }
    for subscription in taken { subscription.cancel() }
  }

  private func append(_ record: FlightRecord) {
    let wake = state.withLock { state in
      state.records.append(record)
      if state.records.count > capacity {
        state.records.removeFirst()
        state.first += 1
        state.start.dropped += 1
      }
      return state.wake
    }
    wake?()
  }

  // MARK: For a writer

  /// Returns the process and the state before the oldest record that is kept.
  package var head: (process: FlightRecording.Process, start: FlightRecording.Start) {
    (process, state.withLock { $0.start })
  }

  /// Returns the records from a number on, and the number that follows them.
  ///
  /// - Parameter number: The number of the first record wanted; 0 is the first one ever recorded.
  /// - Returns: The records, the number to continue with, and the count of those that were dropped
  ///   before they could be returned.
  package func records(from number: Int) -> (records: [FlightRecord], next: Int, missed: Int) {
    state.withLock { state in
      let missed = max(state.first - number, 0)
      let rest = state.records.dropFirst(max(number - state.first, 0))
      return (Array(rest), state.first + state.records.count, missed)
    }
  }

  /// Sets a closure that is called after each record, on the thread that appended it, possibly with
  /// the lock of the bus held: it may only wake another thread.
  package func setWake(_ wake: (@Sendable () -> Void)?) {
    state.withLock { $0.wake = wake }
  }
}
