import ReactiveLifecycle

/// The content of a journal; each record holds all of it.
///
/// A pure value, independent of any file.
struct JournalRecord: Hashable, Sendable {
  var phase: LifecyclePhase
  /// A Boolean value that indicates whether the program has declared the end of its run.
  var hasEnded = false
  /// The last moment at which the run was certainly alive.
  var signOfLife: LifecycleInstant
  var boot: BootID?
  var processID: Int32
  /// The number of the program's run, from 1.
  var run: UInt64
  var values = JournalValues()
}

extension JournalRecord {
  /// The maximum size of the values in bytes.
  ///
  /// The rest of a record always fits beside them, whatever the identity of the next run's boot.
  static let valueCapacity = JournalSlot.payloadCapacity - fixedSize - longestBoot

  /// The maximum length of a boot's identity.
  ///
  /// A longer one is stored as unknown; the system's have 36 bytes.
  private static let longestBoot = 255
  private static let fixedSize = 2 + 3 * 16 + 1 + 2 + 4 + 8

  var encoded: [UInt8] {
    var writer = ByteWriter(capacity: JournalSlot.size)
    append(to: &writer)
    return writer.bytes
  }

  func append(to writer: inout ByteWriter) {
    writer.append(phase.journalCode)
    writer.append(UInt8(hasEnded ? 1 : 0))
    writer.append(signOfLife)
    let boot = boot.flatMap { $0.rawValue.utf8.count > Self.longestBoot ? nil : $0.rawValue.utf8 }
    writer.append(UInt8(boot == nil ? 0 : 1))
    writer.append(counted: boot ?? "".utf8)
    writer.append(processID)
    writer.append(run)
    writer.append(values.encoded)
  }

  /// Takes note that the run was alive at an instant.
  mutating func addSignOfLife(_ now: LifecycleInstant) {
    // Another thread may have read the clock later, but reached this point earlier.
    if now.continuous >= signOfLife.continuous { signOfLife = now }
  }

  /// Decodes a record; nil if the bytes are not those of a record.
  init?(decoding bytes: ArraySlice<UInt8>) {
    var reader = ByteReader(bytes)
    guard let phase = reader.integer(UInt8.self).flatMap(LifecyclePhase.init(journalCode:)),
      let hasEnded = reader.integer(UInt8.self), hasEnded < 2,
      let signOfLife = reader.instant(),
      let hasBoot = reader.integer(UInt8.self), hasBoot < 2,
      let boot = reader.text(),
      let processID = reader.integer(Int32.self),
      let run = reader.integer(UInt64.self),
      let values = JournalValues(from: &reader),
      reader.rest.isEmpty
    else { return nil }
    self.phase = phase
    self.hasEnded = hasEnded == 1
    self.signOfLife = signOfLife
    self.boot = hasBoot == 1 ? BootID(rawValue: boot) : nil
    self.processID = processID
    self.run = run
    self.values = values
  }
}

extension JournalRecord {
  /// Returns the report of the record to the next run.
  ///
  /// - Parameters:
  ///   - now: The current moment in the next run.
  ///   - boot: The boot of the next run.
  func previousRun(at now: LifecycleInstant, boot: BootID?) -> LifecycleJournal.PreviousRun {
    let isSameBoot = boot != nil && boot == self.boot
    let away = now.continuous - signOfLife.continuous
    // In another time namespace, the clock may be behind although the boot is the same.
    let isClockTrusted = isSameBoot && away >= .zero
    let awayByWallClock = now.timeSince1970.clamped - signOfLife.timeSince1970.clamped
    return LifecycleJournal.PreviousRun(
      exit: exit(isSameBoot: isSameBoot),
      timeAway: isClockTrusted ? away : max(awayByWallClock, .zero),
      isClockTrusted: isClockTrusted
    )
  }

  private func exit(isSameBoot: Bool) -> LifecycleJournal.PreviousExit {
    if hasEnded || phase == .terminated { return .endedProperly }
    if !isSameBoot { return .machineRestarted }
    return phase.isForeground ? .killedInForeground : .killedInBackground
  }
}

extension LifecyclePhase {
  /// The code of the phase in a record, which is part of the format.
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
