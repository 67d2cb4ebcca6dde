import LifecycleCore

/// Collects what is unusual in a run, record by record.
struct FindingsMachine {
  private enum Key: Hashable {
    case machineSleep, pause, longStay
    case content(FlightFinding.Content)
  }

  /// The subject of a sequence of reports: a role, which its sources share, or one ceiling.
  private enum Subject: Hashable {
    case role(LifecycleRole)
    case ceiling(Int)
  }

  private struct Registration {
    let location: LifecycleObserverLocation
    let instant: ContinuousInstant
  }

  private let run: Int
  private let stayLimit: Duration
  private var findings: [FlightFinding] = []
  private var indices: [Key: Int] = [:]

  private var sources: [Int: FlightSource] = [:]
  /// The latest transition that was reported on a subject.
  private var latest: [Subject: LifecycleEvent.Kind] = [:]
  private var notices = NoticePairs()
  private var stays: StayTracker
  private var clock: ClockReadings
  private var observers: [Int: Registration] = [:]
  private var activities: [FlightActivity.Key: FlightActivity] = [:]
  private var hasTerminated = false
  private var hasEnded = false
  private var last: LifecycleInstant

  init(_ start: FlightRecording.Start, run: Int, stayLimit: Duration) {
    self.run = run
    self.stayLimit = stayLimit
    clock = ClockReadings(start.instant)
    last = start.instant
    stays = StayTracker(start)
    for source in start.sources { connect(source) }
    if start.dropped > 0 { add(.droppedRecords(start.dropped), at: start.instant) }
  }

  mutating func take(_ record: FlightRecord) {
    let instant = record.instant
    last = instant
    readClock(instant)
    switch record.content {
    case .connected(let source): connect(source)
    case .disconnected, .note: break
    case .input(let input): take(input, at: instant)
    case .event(let event): take(event, at: instant)
    case .observerAdded(let observer, let location):
      guard !hasTerminated else { break }
      observers[observer] = Registration(location: location, instant: instant.continuous)
    case .observerRemoved(let observer):
      // The end removes them all, which is no finding.
      if !hasTerminated, !hasEnded { observers[observer] = nil }
    case .overrun(let kind, let location): add(.overrun(kind, location), at: instant)
    case .activity(let activity): take(activity, at: instant)
    case .ended:
      hasEnded = true
      take(stays.end(at: instant), at: instant)
    }
  }

  /// Takes note that the recording of the run continues as another one.
  ///
  /// - Parameters:
  ///   - start: The state of the bus at the start of the other recording.
  ///   - dropped: The number of records that were dropped before it.
  mutating func takeNextPart(_ start: FlightRecording.Start, dropped: Int) {
    sources = [:]
    for source in start.sources { connect(source) }
    if dropped > 0 {
      take(stays.skip(from: last, to: start), at: last)
      // What ended meanwhile is not known.
      (activities, observers, notices, latest) = ([:], [:], NoticePairs(), [:])
      add(.droppedRecords(dropped), at: start.instant)
    }
    last = start.instant
  }

  /// Returns the findings after the last record, in order of their first occurrence.
  consuming func finish() -> [FlightFinding] {
    take(stays.end(at: last), at: last)
    // A countdown may last longer than the process.
    let begun = activities.values.filter { $0.kind != .countdown }.sorted { $0.key < $1.key }
    for activity in begun { add(.noEnd(activity.kind, name: activity.name), at: last) }
    let locations = Dictionary(grouping: observers.values, by: \.location)
    for (location, all) in locations.sorted(by: { $0.key.description < $1.key.description })
    where location.fileID != nil && Self.occasions(all) > 2 {
      findings.append(.init(.remainingObservers(location), run: run, at: last, count: all.count))
    }
    if !hasTerminated, !hasEnded { add(.noTermination, at: last) }
    return findings
  }

  /// Returns how many times observers were registered, where those of one second count as once: a
  /// helper that is called twice, or the rows of a list.
  private static func occasions(_ registrations: [Registration]) -> Int {
    var starts: [ContinuousInstant] = []
    for instant in registrations.map(\.instant).sorted() {
      if let start = starts.last, start.duration(to: instant) <= .seconds(1) { continue }
      starts.append(instant)
    }
    return starts.count
  }

  // MARK: Sources

  private mutating func connect(_ source: FlightSource) {
    sources[source.id] = source
  }

  private mutating func take(_ input: FlightInput, at instant: LifecycleInstant) {
    let source = sources[input.source]
    let role = source?.role ?? .participant(.application)
    let subject: Subject = role == .ceiling ? .ceiling(input.source) : .role(role)
    defer { if input.kind.isTransition { latest[subject] = input.kind } }
    switch input.suppressed {
    case .duplicate?:
      add(
        latest[subject] == input.kind
          ? .duplicate(input.kind, source: source?.name)
          : .mismatch(input.kind, source: source?.name),
        at: instant
      )
    case .masked?: add(.masked(input.kind, source: source?.name), at: instant)
    case .terminated?, .disconnected?: add(.late(input.kind, source: source?.name), at: instant)
    default: break
    }
  }

  // MARK: Events and activities

  private mutating func take(_ event: LifecycleEvent, at instant: LifecycleInstant) {
    switch event.kind {
    case .willTerminate: hasTerminated = true
    case .processWasPaused: add(.pause(metadata: event.metadata), as: .pause, at: instant)
    case .didReceiveMemoryWarning: add(.memoryWarning, at: instant)
    default: break
    }
    if notices.isMismatch(event) {
      add(.mismatch(event.kind, source: event.origin.sourceName), at: instant)
    }
    take(stays.take(event, at: instant), at: instant)
  }

  private mutating func take(_ stay: BackgroundStay?, at instant: LifecycleInstant) {
    guard let stay, stay.timeAway > stayLimit else { return }
    let index = add(.longStay(longest: stay.timeAway), as: .longStay, at: instant)
    if case .longStay(let longest) = findings[index].content {
      findings[index].content = .longStay(longest: max(longest, stay.timeAway))
    }
  }

  private mutating func take(_ activity: FlightActivity, at instant: LifecycleInstant) {
    guard case .ended(let outcome) = activity.change else {
      activities[activity.key] = activity
      return
    }
    activities[activity.key] = nil
    // A countdown ends by its release, too.
    let isLeaked = outcome == "released" && activity.kind == .backgroundTask
    if isLeaked || ["expired", "failed"].contains(outcome) {
      add(.badEnd(activity.kind, name: activity.name, outcome: outcome), at: instant)
    }
  }

  // MARK: Clocks

  private mutating func readClock(_ instant: LifecycleInstant) {
    let change = clock.read(instant)
    if let shift = change.shift { add(.clockChange(shift), at: instant) }
    guard let asleep = change.asleep else { return }
    let index = add(.machineSleep(total: .zero), as: .machineSleep, at: instant)
    if case .machineSleep(let total) = findings[index].content {
      findings[index].content = .machineSleep(total: (total + asleep).clamped)
    }
  }

  // MARK: Findings

  private mutating func add(_ content: FlightFinding.Content, at instant: LifecycleInstant) {
    add(content, as: .content(content), at: instant)
  }

  /// Adds a finding, or counts it if there is one with the key.
  ///
  /// - Returns: Its index.
  @discardableResult
  private mutating func add(
    _ content: FlightFinding.Content,
    as key: Key,
    at instant: LifecycleInstant
  ) -> Int {
    if let index = indices[key] {
      findings[index].count += 1
      return index
    }
    indices[key] = findings.count
    findings.append(FlightFinding(content, run: run, at: instant))
    return findings.count - 1
  }
}

extension LifecycleEvent.Origin {
  fileprivate var sourceName: LifecycleSourceName? {
    if case .source(let name) = self { name } else { nil }
  }
}

/// Follows the stays in the background, also one that began before the recording, or that no return
/// ends.
struct StayTracker {
  /// The instant at which the current stay began, or from which on it is recorded.
  private var start: LifecycleInstant?
  /// The part of the current stay that is recorded, before records that are missing.
  private var part: BackgroundStay?

  init(_ start: FlightRecording.Start) {
    begin(start)
  }

  private mutating func begin(_ start: FlightRecording.Start) {
    if start.phase == .background { self.start = start.instant }
  }

  /// Returns the stay that an event ends.
  mutating func take(_ event: LifecycleEvent, at instant: LifecycleInstant) -> BackgroundStay? {
    switch event.phase {
    case .inactive, .active:
      // The bus may know more of it than the records do, or nothing, if no stay had begun.
      start = nil
      return longer(event.backgroundStay, part.take())
    case .terminated: return end(at: instant)
    case .background:
      if event.kind == .didEnterBackground { start = instant }
      return nil
    case .unknown: return nil
    }
  }

  /// Returns the stay that ends with the bus or the recording, as long as it was until then.
  mutating func end(at instant: LifecycleInstant) -> BackgroundStay? {
    longer(start.take().map { BackgroundStay(from: $0, to: instant) }, part.take())
  }

  /// Takes note that records are missing, in which the process may have returned.
  ///
  /// - Returns: The stay that ended in between, as long as it was recorded.
  mutating func skip(
    from last: LifecycleInstant,
    to next: FlightRecording.Start
  ) -> BackgroundStay? {
    let recorded = end(at: last)
    guard next.phase == .background else { return recorded }
    part = recorded
    begin(next)
    return nil
  }

  private func longer(_ first: BackgroundStay?, _ second: BackgroundStay?) -> BackgroundStay? {
    guard let first, let second else { return first ?? second }
    return first.timeAway >= second.timeAway ? first : second
  }
}

/// Compares notices that come in pairs, such as the sleep and the wake-up of the machine.
struct NoticePairs {
  private struct Report: Hashable {
    let kind: LifecycleEvent.Kind
    let origin: LifecycleEvent.Origin
  }

  /// The kinds that begin something, by those that end it.
  private static let beginnings: [LifecycleEvent.Kind: LifecycleEvent.Kind] = [
    .systemDidWake: .systemWillSleep,
    .protectedDataDidBecomeAvailable: .protectedDataWillBecomeUnavailable,
  ]

  /// The beginnings that no source has ended.
  private var open: Set<LifecycleEvent.Kind> = []
  /// The beginnings that each source has reported, and whether that source has not ended them.
  private var reported: [Report: Bool] = [:]

  /// Returns whether a notice does not fit the ones before it: it begins what no source has ended,
  /// or it ends what its own source has ended, too.
  ///
  /// A source that never reported a beginning may not know of any. One may report the end that
  /// another one has reported.
  mutating func isMismatch(_ notice: LifecycleEvent) -> Bool {
    guard let beginning = Self.beginnings[notice.kind] else {
      guard Self.beginnings.values.contains(notice.kind) else { return false }
      reported[Report(kind: notice.kind, origin: notice.origin)] = true
      return !open.insert(notice.kind).inserted
    }
    open.remove(beginning)
    let report = Report(kind: beginning, origin: notice.origin)
    guard let isOpen = reported[report] else { return false }
    reported[report] = false
    return !isOpen
  }
}

/// The latest readings of the clocks, which distinguishes sleep and changes of the wall clock from
/// the passage of time.
struct ClockReadings {
  private var latest: LifecycleInstant

  init(_ instant: LifecycleInstant) {
    latest = instant
  }

  /// Returns how long the machine slept, and by how much the wall clock was set, since the latest
  /// readings; nil for what did not happen.
  ///
  /// The network corrects a wall clock by up to 0.05 %, without setting it. Readings that are
  /// earlier than the latest ones are ignored: a report can arrive late.
  mutating func read(_ instant: LifecycleInstant) -> (asleep: Duration?, shift: Duration?) {
    let elapsed = latest.duration(to: instant)
    guard elapsed >= .zero else { return (nil, nil) }
    let asleep = elapsed - (instant.timeAwake.clamped - latest.timeAwake.clamped)
    let shift = instant.timeSince1970.clamped - latest.timeSince1970.clamped - elapsed
    latest = instant
    let tolerance = max(.seconds(1), elapsed / 1000)
    return (
      asleep >= .seconds(1) ? asleep : nil,
      max(shift, .zero - shift) >= tolerance ? shift : nil
    )
  }
}
