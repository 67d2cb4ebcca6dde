import LifecycleFlightRecording
import ReactiveLifecycle

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
