import LifecycleCore
import LifecycleSupport

/// The content of a journal; each entry holds all of it.
///
/// A pure value, independent of any file.
struct JournalEntry: Hashable, Sendable {
  /// The phase that was delivered last. The foreground ends the launch.
  var phase: LifecyclePhase {
    didSet { if phase.isForeground { isLaunching = false } }
  }
  /// A Boolean value that indicates whether the program has declared the end of its run.
  var hasEnded = false
  /// The last moment at which the run was certainly alive.
  var signOfLife: LifecycleInstant
  var boot: BootID?
  var processID: Int32
  /// The number of the program's run, from 1.
  var run: UInt64 = 1
  /// The version of the program; nil if it is unknown, or too long.
  private(set) var version: String?
  /// A Boolean value that indicates whether the run has neither reached the foreground nor got
  /// through its launch in the background.
  var isLaunching: Bool
  var values = JournalValues()

  init(
    phase: LifecyclePhase,
    signOfLife: LifecycleInstant,
    boot: BootID?,
    processID: Int32,
    run: UInt64 = 1,
    version: String? = nil
  ) {
    self.phase = phase
    self.signOfLife = signOfLife
    self.boot = boot.flatMap { $0.rawValue.utf8.count > Self.longestBoot ? nil : $0 }
    self.processID = processID
    self.run = run
    self.version = version.flatMap { (1...Self.longestVersion).contains($0.utf8.count) ? $0 : nil }
    isLaunching = phase < .inactive && phase != .terminated
  }
}

extension JournalEntry {
  /// The maximum size of the values in bytes.
  ///
  /// The rest of an entry always fits beside them, whatever the boot and the version of the next
  /// run.
  static let valueCapacity =
    JournalSlot.payloadCapacity - fixedSize - longestBoot - longestVersion

  /// The maximum length of a boot's identity.
  ///
  /// A longer one is stored as unknown; the system's have 36 bytes, in a time namespace up to 117.
  static let longestBoot = 128
  static let longestVersion = 124
  private static let fixedSize = 2 + 3 * 16 + 1 + 2 + 4 + 8 + 1 + 2

  var encoded: [UInt8] {
    var writer = ByteWriter(capacity: JournalSlot.size)
    writer.append(phase.journalCode)
    writer.append(UInt8(hasEnded ? 1 : 0))
    writer.append(signOfLife)
    writer.append(UInt8(boot == nil ? 0 : 1))
    writer.append(counted: (boot?.rawValue ?? "").utf8)
    writer.append(processID)
    writer.append(run)
    writer.append(values.encoded)
    writer.append(UInt8(isLaunching ? 1 : 0))
    writer.append(counted: (version ?? "").utf8)
    return writer.bytes
  }

  /// Returns this entry as that of the run after another.
  func following(_ previous: JournalEntry) -> JournalEntry {
    var entry = self
    entry.run = previous.run &+ 1
    entry.values = previous.values
    return entry
  }

  /// Sets a value, or removes it, if there is room.
  mutating func set(
    _ value: [UInt8]?,
    forKey key: String
  ) throws(LifecycleJournal.WriteError) {
    let (values, refused) = values.setting([(key, value)], capacity: Self.valueCapacity)
    guard refused.isEmpty else { throw tooLarge(key, value, beside: values) }
    self.values = values
  }

  /// Sets the saved values for which there is room.
  ///
  /// - Returns: The others, each with an error.
  mutating func save(
    _ changes: [SavedValue.Change]
  ) -> [(SavedValue, LifecycleJournal.WriteError)] {
    guard !changes.isEmpty else { return [] }
    let (values, refused) = values.setting(
      changes.map { ($0.value.key, $0.bytes) },
      capacity: Self.valueCapacity
    )
    self.values = values
    return refused.map { index in
      let change = changes[index]
      return (change.value, tooLarge(change.value.key, change.bytes, beside: values))
    }
  }

  private func tooLarge(
    _ key: String,
    _ value: [UInt8]?,
    beside values: JournalValues
  ) -> LifecycleJournal.WriteError {
    let room = values.room(forKey: key, capacity: Self.valueCapacity)
    return .tooLarge(key: key, size: value?.count ?? 0, room: room)
  }

  /// Takes note that the run was alive at an instant.
  mutating func addSignOfLife(_ now: LifecycleInstant) {
    // Another thread may have read the clock later, but reached this point earlier.
    if now.continuous >= signOfLife.continuous { signOfLife = now }
  }

  /// Decodes an entry; nil if the bytes are not those of an entry.
  init?(decoding bytes: ArraySlice<UInt8>) {
    var reader = ByteReader(bytes)
    guard let phase = reader.integer(UInt8.self).flatMap(LifecyclePhase.init(journalCode:)),
      let hasEnded = reader.integer(UInt8.self), hasEnded < 2,
      let signOfLife = reader.instant(),
      let hasBoot = reader.integer(UInt8.self), hasBoot < 2,
      let boot = reader.text(),
      let processID = reader.integer(Int32.self),
      let run = reader.integer(UInt64.self),
      let values = JournalValues(from: &reader)
    else { return nil }
    var isLaunching: UInt8 = 0
    var version = ""
    // Entries of earlier versions of this library end here.
    if !reader.rest.isEmpty {
      guard let flag = reader.integer(UInt8.self), flag < 2, let text = reader.text(),
        reader.rest.isEmpty
      else { return nil }
      (isLaunching, version) = (flag, text)
    }
    self.phase = phase
    self.hasEnded = hasEnded == 1
    self.signOfLife = signOfLife
    self.boot = hasBoot == 1 ? BootID(rawValue: boot) : nil
    self.processID = processID
    self.run = run
    self.version = version.isEmpty ? nil : version
    self.isLaunching = isLaunching == 1
    self.values = values
  }
}

extension JournalEntry {
  /// Returns the report of the entry to the next run.
  ///
  /// - Parameters:
  ///   - now: The current moment in the next run.
  ///   - boot: The boot of the next run.
  ///   - version: The version of the program in the next run.
  func previousRun(
    at now: LifecycleInstant,
    boot: BootID?,
    version: String?
  ) -> LifecycleJournal.PreviousRun {
    let (away, isClockTrusted) = signOfLife.timeAway(until: now, of: boot, from: self.boot)
    // In another time namespace, the clocks differ although the machine has not booted.
    let isSameBoot = isClockTrusted || boot != nil && boot?.machineBoot == self.boot?.machineBoot
    return LifecycleJournal.PreviousRun(
      exit: exit(isSameBoot: isSameBoot, version: version),
      timeAway: away,
      isClockTrusted: isClockTrusted
    )
  }

  private func exit(isSameBoot: Bool, version: String?) -> LifecycleJournal.PreviousExit {
    if hasEnded || phase == .terminated { return .endedProperly }
    if let version, let earlier = self.version, version != earlier { return .updated }
    if !isSameBoot { return .machineRestarted }
    if isLaunching { return .killedDuringLaunch }
    return phase.isForeground ? .killedInForeground : .killedInBackground
  }
}

extension LifecycleInstant {
  /// Returns the time to a moment of another run, and whether no one can have changed it.
  ///
  /// If the machine has booted since, only the wall clock is left.
  ///
  /// - Parameters:
  ///   - now: The moment.
  ///   - boot: The boot of that moment.
  ///   - origin: The boot of this instant.
  func timeAway(
    until now: LifecycleInstant,
    of boot: BootID?,
    from origin: BootID?
  ) -> (duration: Duration, isClockTrusted: Bool) {
    let away = now.continuous - continuous
    let awayByWallClock = now.timeSince1970.clamped - timeSince1970.clamped
    let shift = awayByWallClock - away
    let isClockTrusted = origin.isSameBoot(as: boot, wallShift: shift, after: away)
    return (isClockTrusted ? away : max(awayByWallClock, .zero), isClockTrusted)
  }
}

extension LifecyclePhase {
  /// The code of the phase in an entry, which is part of the format.
  fileprivate var journalCode: UInt8 {
    switch self {
    case .terminated: 0
    case .unknown: 1
    case .background: 2
    case .inactive: 3
    case .active: 4
    }
  }

  fileprivate init?(journalCode: UInt8) {
    guard let phase = Self.allCases.first(where: { $0.journalCode == journalCode }) else {
      return nil
    }
    self = phase
  }
}

/// The program's own values in a journal, encoded, each under its key.
///
/// Setting a value encodes all of them, so that writing a transition only copies bytes.
struct JournalValues: Hashable, Sendable {
  private(set) var encoded: [UInt8]
  private var values: [String: [UInt8]]

  init() {
    values = [:]
    encoded = Self.encode([:])
  }

  subscript(key: String) -> [UInt8]? { values[key] }

  /// Returns the values with several others, each under its key, or with none under that key.
  ///
  /// If there is not enough room for all, those that need less room than before are set first.
  ///
  /// - Parameters:
  ///   - changes: The values, and nil for none; each key once.
  ///   - capacity: The maximum size of all values in bytes, encoded.
  /// - Returns: The values, and the indices of those that are left out.
  func setting(
    _ changes: [(key: String, value: [UInt8]?)],
    capacity: Int
  ) -> (values: JournalValues, refused: [Int]) {
    let growth = changes.map { change in
      Self.size(change.key, change.value) - Self.size(change.key, values[change.key])
    }
    var copy = self
    var refused: [Int] = []
    var size = Self.size(of: values)
    for index in changes.indices.sorted(by: { (growth[$0], $0) < (growth[$1], $1) }) {
      guard growth[index] <= 0 || size + growth[index] <= capacity else {
        refused.append(index)
        continue
      }
      size += growth[index]
      copy.values[changes[index].key] = changes[index].value
    }
    if copy.values != values { copy.encoded = Self.encode(copy.values) }
    return (copy, refused)
  }

  /// Returns the maximum size of a value under the key, in bytes.
  func room(forKey key: String, capacity: Int) -> Int {
    var others = values
    others[key] = []
    return max(capacity - Self.size(of: others), 0)
  }

  private static func size(of values: [String: [UInt8]]) -> Int {
    values.reduce(2) { $0 + size($1.key, $1.value) }
  }

  private static func size(_ key: String, _ value: [UInt8]?) -> Int {
    value.map { 4 + key.utf8.count + $0.count } ?? 0
  }

  private static func encode(_ values: [String: [UInt8]]) -> [UInt8] {
    var writer = ByteWriter(capacity: size(of: values))
    writer.append(UInt16(values.count))
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      writer.append(counted: key.utf8)
      writer.append(counted: value)
    }
    return writer.bytes
  }

  init?(from reader: inout ByteReader) {
    guard let count = reader.integer(UInt16.self) else { return nil }
    values = [:]
    for _ in 0..<count {
      guard let key = reader.text(), let value = reader.counted() else { return nil }
      values[key] = Array(value)
    }
    encoded = Self.encode(values)
  }
}

/// A writer of the parts of a journal, in little-endian order.
struct ByteWriter {
  private(set) var bytes: [UInt8]

  init(capacity: Int) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  mutating func append<Integer: FixedWidthInteger & BitwiseCopyable>(_ integer: Integer) {
    withUnsafeBytes(of: integer.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ more: [UInt8]) {
    bytes.append(contentsOf: more)
  }

  /// Appends bytes, preceded by their number: 65,535 bytes at most.
  mutating func append(counted more: some Collection<UInt8>) {
    append(UInt16(more.count))
    bytes.append(contentsOf: more)
  }

  mutating func append(_ duration: Duration) {
    let (seconds, attoseconds) = duration.clamped.components
    append(seconds)
    append(attoseconds)
  }

  mutating func append(_ instant: LifecycleInstant) {
    append(instant.continuous.timeSinceBoot)
    append(instant.timeAwake)
    append(instant.timeSince1970)
  }
}

/// A reader of the bytes of a ``ByteWriter``.
///
/// Its methods return nil if the bytes are missing or invalid.
struct ByteReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    _: Integer.Type = Integer.self
  ) -> Integer? {
    guard let bytes = bytes(MemoryLayout<Integer>.size) else { return nil }
    var integer: Integer = 0
    withUnsafeMutableBytes(of: &integer) { $0.copyBytes(from: bytes) }
    return Integer(littleEndian: integer)
  }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest.removeFirst(count) }
    return rest.prefix(count)
  }

  mutating func counted() -> ArraySlice<UInt8>? {
    guard let count = integer(UInt16.self) else { return nil }
    return bytes(Int(count))
  }

  mutating func text() -> String? {
    counted().flatMap { String(validUTF8: $0) }
  }

  mutating func duration() -> Duration? {
    guard let seconds = integer(Int64.self), let attoseconds = integer(Int64.self),
      attoseconds.magnitude < 1_000_000_000_000_000_000
    else { return nil }
    let duration = Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
    // A writer clamps durations, so it has written none that is beyond.
    return duration == duration.clamped ? duration : nil
  }

  mutating func instant() -> LifecycleInstant? {
    guard let timeSinceBoot = duration(), let timeAwake = duration(),
      let timeSince1970 = duration()
    else { return nil }
    return LifecycleInstant(
      continuous: ContinuousInstant(timeSinceBoot: timeSinceBoot),
      timeAwake: timeAwake,
      timeSince1970: timeSince1970
    )
  }
}

/// CRC-32C, the checksum of iSCSI and ext4.
///
/// It detects every error burst of up to 32 bits.
enum Checksum {
  private static let table: [UInt32] = (0..<256).map { (index: UInt32) in
    (0..<8).reduce(index) { crc, _ in crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x82f6_3b78 }
  }

  static func crc32c(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(.max) { crc, byte in
      table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ crc >> 8
    }
  }
}
