import CustomDump
import LifecycleCore
import LifecycleTesting
import Testing

@testable import LifecycleJournaling

@Suite("Journal: values")
struct JournalValueTests {
  typealias WriteError = LifecycleJournal.WriteError

  private struct Unencodable: Encodable {
    func encode(to encoder: any Encoder) throws {
      throw EncodingError.invalidValue(1, .init(codingPath: [], debugDescription: "no text"))
    }
  }

  private struct Nosy: Encodable {
    let journal: LifecycleJournal

    func encode(to encoder: any Encoder) throws {
      try journal.set(2, forKey: "inner")
      try "outer".encode(to: encoder)
    }
  }

  private let stage = JournalStage()
  private let clock = ManualClock()

  private func open() throws -> LifecycleJournal {
    try LifecycleJournal(at: stage.path, of: NonisolatedLifecycleBus(clock: clock))
  }

  /// Sets a value that takes more room than there is, and returns the room that there is.
  private func roomLeft(_ journal: LifecycleJournal, forKey key: String) -> Int? {
    let error = #expect(throws: WriteError.self) {
      try journal.set(String(repeating: "x", count: 5_000), forKey: key)
    }
    guard case .tooLarge(key, 5_002, let room) = error else { return nil }
    #expect("\(error!)".contains("takes 5002 bytes, but the journal has room for only \(room)"))
    return room
  }

  @Test("Values outlast the run, and transitions after them")
  func valuesOutlastTheRun() throws {
    do {
      let bus = NonisolatedLifecycleBus(clock: clock)
      let journal = try LifecycleJournal(at: stage.path, of: bus)
      #expect(try journal.value(Int.self, forKey: "a") == nil)
      try journal.set(1, forKey: "a")
      try journal.set([1.5], forKey: "")
      try journal.set("ü", forKey: "ö")
      #expect(try journal.value(forKey: "a") == 1)
      bus.send(.didBecomeActive)
    }
    do {
      let journal = try open()
      #expect(try journal.value(forKey: "a") == 1)
      #expect(try journal.value([Double].self, forKey: "") == [1.5])
      #expect(try journal.value(String.self, forKey: "ö") == "ü")
      try journal.set(nil as Int?, forKey: "a")
      #expect(try journal.value(Int.self, forKey: "a") == nil)
    }
    let journal = try open()
    #expect(try journal.value(Int.self, forKey: "a") == nil)
    #expect(try journal.value(String.self, forKey: "ö") == "ü")
  }

  @Test("A value that is too large is refused, with its key, its size and the room there is")
  func tooLarge() throws {
    let journal = try open()
    try journal.set("small", forKey: "k")
    let room = try #require(roomLeft(journal, forKey: "k"))
    #expect(room > 3_500)
    expectNoDifference(try journal.value(String.self, forKey: "k"), "small")
    // That much is room for.
    try journal.set(String(repeating: "x", count: room - 2), forKey: "k")
    #expect(throws: WriteError.tooLarge(key: "l", size: 1, room: 0)) {
      try journal.set(1, forKey: "l")
    }
    // A key takes room, too.
    #expect(throws: WriteError.self) {
      try journal.set(1, forKey: String(repeating: "k", count: 100_000))
    }
  }

  @Test("A full journal can be opened on a boot, and by a version, with the longest names")
  func fullOnAnotherBoot() throws {
    do {
      let journal = try open()
      let room = try #require(roomLeft(journal, forKey: "k"))
      try journal.set(String(repeating: "x", count: room - 2), forKey: "k")
    }
    let longest = BootID(rawValue: String(repeating: "b", count: 128))
    let bus = NonisolatedLifecycleBus(clock: ManualClock(bootID: longest))
    let version = String(repeating: "v", count: 124)
    let journal = try LifecycleJournal(at: stage.path, of: bus, version: version)
    expectNoDifference(JournalContents(of: stage).entry?.boot, longest)
    expectNoDifference(JournalContents(of: stage).entry?.version, version)
    expectNoDifference(journal.previousRun.exit, .machineRestarted)
    #expect(try journal.value(String.self, forKey: "k")?.count ?? 0 > 3_000)
  }

  @Test("A value that can't be encoded leaves the one that was there")
  func cannotEncode() throws {
    let journal = try open()
    try journal.set(1, forKey: "k")
    let error = #expect(throws: WriteError.self) { try journal.set(Unencodable(), forKey: "k") }
    guard case .cannotEncode("k", let reason) = error, reason.contains("no text") else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(try journal.value(Int.self, forKey: "k") == 1)
  }

  @Test("A value of another type is an error of decoding")
  func otherType() throws {
    let journal = try open()
    try journal.set(1, forKey: "k")
    #expect(throws: DecodingError.self) { try journal.value(String.self, forKey: "k") }
  }

  @Test("No lock is held while a value encodes itself")
  func encodesWithoutALock() throws {
    let journal = try open()
    try journal.set(Nosy(journal: journal), forKey: "outer")
    #expect(try journal.value(Int.self, forKey: "inner") == 2)
    #expect(try journal.value(String.self, forKey: "outer") == "outer")
  }

  @Test("After end(), setting a value throws, and values can still be read")
  func afterEnd() throws {
    let journal = try open()
    try journal.set(1, forKey: "k")
    journal.end()
    let error = #expect(throws: WriteError.self) { try journal.set(2, forKey: "k") }
    expectNoDifference(error, .ended(path: stage.path))
    expectNoDifference(
      error?.description,
      """
      Nothing was recorded in the journal \(stage.path) because its run has already ended with \
      end(). Record before you call end().
      """
    )
    #expect(try journal.value(Int.self, forKey: "k") == 1)
  }
}
