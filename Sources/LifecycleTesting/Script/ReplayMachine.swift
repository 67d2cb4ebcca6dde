import LifecycleCore
import LifecycleFlightRecording

/// The recordings of a replay, and the position in them. It uses no bus and no clock.
struct ScriptReplay {
  /// What happens next.
  enum Action: Equatable {
    /// The process of a recording is launched, and brought to its state at the start.
    case launch
    /// Time passes until the instant of the step, and then the step is performed.
    case perform(ReplayStep)
    /// The process ends, if it has not ended by itself.
    case kill
    /// There is no process, and time passes until the next one starts.
    case pass(next: LifecycleInstant, isRestarted: Bool)
    /// Records of the run are missing: the replay ends.
    case stop(Gap)

    /// The instant until which time passes before it; nil if it takes place at once, or if the
    /// clock starts again.
    var due: LifecycleInstant? {
      switch self {
      case .perform(let step): step.instant
      case .pass(let next, isRestarted: false): next
      case .launch, .kill, .pass(_, isRestarted: true), .stop: nil
      }
    }

    /// A Boolean value that indicates whether more happens than that time passes.
    var isCause: Bool {
      if case .perform(let step) = self { step.action != .pass } else { true }
    }
  }

  /// A difference between a recording and its replay.
  struct Difference: Equatable {
    /// The number of the line, from 1.
    let number: Int
    let recorded: LifecycleTranscript.Line?
    let replayed: LifecycleTranscript.Line?
  }

  private struct Run {
    let recording: FlightRecording
    let steps: [ReplayStep]
    let lines: [(record: Int, line: LifecycleTranscript.Line)]

    init(_ recording: FlightRecording) {
      self.recording = recording.withoutEffectsOfDropped
      steps = self.recording.replaySteps
      lines = self.recording.transcriptLines
    }
  }

  private let runs: [Run]
  private var current = 0
  private var isLaunched = false
  private var isKilled = false
  /// The position of the next step of the current run.
  private var position = 0
  /// The number of lines of the current run that were replayed without a difference.
  private var sameCount = 0
  private var isDifferent = false
  /// A Boolean value that indicates whether all of the current run was compared. What its process
  /// does after that was not recorded.
  private var isCompared = false
  /// The gap after the last run; nil if there is none, or if the replay has ended at it.
  private var gap: Gap?

  /// Recordings that continue each other are one run, up to the first gap that changes the state.
  init(_ recordings: [FlightRecording]) {
    var whole: [FlightRecording] = []
    for (index, recording) in recordings.enumerated() {
      guard index > 0, let missing = recording.missingRecords(after: recordings[index - 1]) else {
        whole.append(recording)
        continue
      }
      let last = whole.count - 1
      guard missing == 0 || whole[last].leads(to: recordings[index...]) else {
        gap = Gap(process: recording.process, index: index, count: missing)
        break
      }
      let hasCauses = missing == 0 || whole[last].isCutOff
      whole[last].records +=
        hasCauses ? recording.records : recording.withoutEffectsOfDropped.records
    }
    runs = whole.map(Run.init)
  }

  /// The instant at which the first recording starts.
  var start: FlightRecording.Start? { runs.first?.recording.start }
  var bootID: BootID? { runs.first?.recording.process.bootID }
  /// The steps that bring the current process to its state at the start.
  var openingSteps: [ReplayStep] { runs[current].recording.openingSteps }
  var phaseAtStart: LifecyclePhase { runs[current].recording.start.phase }

  /// The next action; nil at the end of the last recording, where the process continues.
  var next: Action? {
    guard current < runs.count else { return nil }
    guard isLaunched else { return .launch }
    let run = runs[current]
    if position < run.steps.count { return .perform(run.steps[position]) }
    guard current + 1 < runs.count else { return gap.map { .stop($0) } }
    guard isKilled else { return .kill }
    let next = runs[current + 1].recording
    let boots = (run.recording.process.bootID, next.process.bootID)
    return .pass(
      next: next.start.instant,
      isRestarted: boots.0 != boots.1
        || next.start.instant.continuous < run.recording.end.continuous
    )
  }

  /// Goes on to what follows the next action.
  mutating func advance() {
    switch next {
    case .launch: isLaunched = true
    case .perform: position += 1
    case .kill: isKilled = true
    case .pass:
      current += 1
      (isLaunched, isKilled, position, sameCount, isCompared) = (false, false, 0, 0, false)
    case .stop: gap = nil
    case nil: break
    }
  }

  /// Returns the first difference between the recording of the current process, as far as it was
  /// replayed, and what the bus delivered and suppressed; nil if there is none, or if one was
  /// returned before.
  ///
  /// - Parameters:
  ///   - replayed: The lines of the current process.
  ///   - begin: The time at which it was launched.
  mutating func takeDifference(
    from replayed: [LifecycleTranscript.Line],
    launchedAt begin: Duration
  ) -> Difference? {
    guard !isDifferent, !isCompared, isLaunched else { return nil }
    let run = runs[current]
    let lines = run.lines
    let isAtEnd = position == run.steps.count
    while true {
      let recorded =
        lines.indices.contains(sameCount) && lines[sameCount].record < position
        ? lines[sameCount].line.moved(by: begin) : nil
      let replayed = replayed.indices.contains(sameCount) ? replayed[sameCount] : nil
      if recorded == nil, replayed == nil || isAtEnd && run.recording.isCutOff {
        isCompared = isAtEnd
        return nil
      }
      guard recorded == replayed else {
        isDifferent = true
        return Difference(number: sameCount + 1, recorded: recorded, replayed: replayed)
      }
      sameCount += 1
    }
  }
}

extension LifecycleTranscript.Line {
  fileprivate func moved(by time: Duration) -> Self {
    guard case .entry(let original, let phase, let text) = self else { return self }
    return .entry(time: original + time, phase: phase, text: text)
  }
}

extension ScriptReplay.Difference: CustomStringConvertible {
  var description: String {
    func text(_ line: LifecycleTranscript.Line?) -> String {
      line.map { $0.description.drop { $0 == " " } }.map(String.init) ?? "nothing"
    }
    return """
      The replay differs from the recording at line \(number) of its transcript:

        recorded: \(text(recorded))
        replayed: \(text(replayed))

      The replay sends all recorded inputs to the bus. Another version of the bus may treat them \
      differently. If the program sent an input itself, and sends it again, remove the recorded \
      one from the recording's records.
      """
  }
}

extension ScriptReplay {
  /// Records that are missing between two recordings of one run, or in the first, and that changed
  /// the state of the bus.
  struct Gap: Equatable {
    let process: FlightRecording.Process
    /// The position of the recording after the gap, from 0.
    let index: Int
    let count: Int
  }
}

extension ScriptReplay.Gap: CustomStringConvertible {
  var description: String {
    """
    The replay ends before recordings[\(index)]. It continues the run of \(process.name) (process \
    \(process.id)), but \(count == 1 ? "1 record" : "\(count) records") before it \
    \(count == 1 ? "is" : "are") missing, so that the process can't be brought to the state after \
    them. Replay what follows separately: its process starts in that state.
    """
  }
}

extension FlightRecording {
  /// Returns whether a bus has the state at the start of a later part of the run after these
  /// records, which may be fewer than there were.
  ///
  /// - Parameter parts: The later part, and the recordings after it.
  func leads(to parts: ArraySlice<FlightRecording>) -> Bool {
    guard let start = parts.first?.start else { return true }
    let end = stateAtEnd
    return start.phase == end.phase && start.program == end.program
      && start.sources.sorted { $0.id < $1.id } == end.sources.sorted { $0.id < $1.id }
      && (start.phase != .background || isStayEnded(by: Self.firstReturn(in: parts)))
  }

  /// The state of the bus after the last record.
  var stateAtEnd: Start {
    var state = start
    for record in records { state.advance(past: record) }
    return state
  }

  /// Returns whether a return to the foreground ends the stay in the background of the last record.
  private func isStayEnded(by event: LifecycleEvent?) -> Bool {
    // A stay from before the start begins where the replayed return needs it.
    guard let event, let last = records.lazy.reversed().compactMap(\.transition).first else {
      return true
    }
    let stay =
      last.kind == .didEnterBackground
      ? BackgroundStay(from: last.instant, to: event.instant) : nil
    return event.backgroundStay == stay
  }

  /// Returns the first return to the foreground in a part of a run, or in those that continue it
  /// without a gap.
  private static func firstReturn(in parts: ArraySlice<FlightRecording>) -> LifecycleEvent? {
    for (index, part) in zip(parts.indices, parts) {
      guard index == parts.startIndex || part.missingRecords(after: parts[index - 1]) == 0 else {
        return nil
      }
      let transitions = part.records.lazy.compactMap(\.transition)
      if let event = transitions.first(where: { $0.kind == .willEnterForeground }) { return event }
    }
    return nil
  }
}

extension FlightRecord {
  /// The event, if it is a transition.
  fileprivate var transition: LifecycleEvent? {
    guard case .event(let event) = content, event.kind.isTransition else { return nil }
    return event
  }
}

extension FlightRecording {
  /// A Boolean value that indicates whether events of the last cause, which are records of their
  /// own, are missing, because the recording was read or written in between.
  var isCutOff: Bool {
    var causes = records[...]
    var effects: [LifecycleEvent] = []
    while case .event(let event)? = causes.last?.content {
      effects.append(event)
      causes.removeLast()
    }
    switch causes.last?.content {
    case .input(let input) where input.suppressed == nil:
      guard let first = effects.last else { return true }
      guard input.kind.isTransition else { return first.kind != input.kind }
      let end = stateAtEnd
      return !end.isSettled
        || first.previousPhase == .unknown && end.isReachedFromAbove(by: input)
          && !effects.contains { $0.kind == input.kind }
    case .disconnected: return !stateAtEnd.isSettled
    default: return false
    }
  }
}

extension FlightRecording.Start {
  /// A Boolean value that indicates whether the phase is the one that follows from the reports of
  /// the program and the sources.
  fileprivate var isSettled: Bool {
    let application =
      program == .unknown
      ? sources.first { $0.role == .participant(.application) }?.phase ?? .unknown : program
    var reports = ReportedPhases(application: application)
    for source in sources { reports.add(source.phase, as: source.role) }
    return phase == .terminated || reports.phase.map { $0 == phase } ?? true
  }

  /// Returns whether a new bus first goes up to the phase that an input leaves.
  fileprivate func isReachedFromAbove(by input: FlightInput) -> Bool {
    let isCeiling = sources.contains { $0.id == input.source && $0.role == .ceiling }
    return !isCeiling && [.willResignActive, .didEnterBackground].contains(input.kind)
  }
}
