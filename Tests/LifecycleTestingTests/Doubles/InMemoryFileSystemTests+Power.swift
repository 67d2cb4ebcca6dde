import CustomDump
import Foundation
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle
import Testing

extension InMemoryFileSystemTests {
  @Test("The power ends: what was synchronized stays, the rest is lost, and nothing is locked")
  func powerLossKeepsWhatWasSynchronized() throws {
    guard case .made(let file) = try files.open("/f", orMakeWith: [1, 2, 3]) else {
      Issue.record("not made")
      return
    }
    try file.write([7], at: 0)
    try file.synchronize()
    try file.write([8], at: 1)
    try file.setSize(2)
    expectNoDifference(files.contents(of: "/f"), [7, 8])
    files.cutPower()
    expectNoDifference(files.contents(of: "/f"), [7, 2, 3])
    let dead = JournalFileError(errno: EIO)
    #expect(throws: dead) { try file.size }
    #expect(throws: dead) { try file.read(1, at: 0) }
    #expect(throws: dead) { try file.write([1], at: 0) }
    #expect(throws: dead) { try file.setSize(0) }
    #expect(throws: dead) { try file.synchronize() }
    #expect(throws: dead) { try file.copy(to: "/g") }
    guard case .opened(let next) = try files.open("/f", orMakeWith: []) else {
      Issue.record("not opened")
      return
    }
    expectNoDifference(try next.read(10, at: 0), [7, 2, 3])
    expectNoDifference(
      files.operations,
      [
        .created("/f", bytes: 3), .wrote("/f", bytes: 1, at: 0), .synchronized("/f"),
        .wrote("/f", bytes: 1, at: 1), .resized("/f", to: 2), .lostPower,
        .opened("/f"), .read("/f", bytes: 3, at: 0),
      ]
    )
    withExtendedLifetime(file) {}
  }

  @Test("Contents that the test sets are durable")
  func setContentsAreDurable() throws {
    let journal = try open()
    files.setContents([1], of: "/removed")
    files.setContents([2], of: "/new")
    files.setContents([3], of: "/state")
    files.setContents(nil, of: "/removed")
    files.cutPower()
    expectNoDifference(files.paths, ["/new", "/state"])
    expectNoDifference(files.contents(of: "/new"), [2])
    expectNoDifference(files.contents(of: "/state"), [3])
    withExtendedLifetime(journal) {}
  }

  @Test("A cut in the middle of a write leaves the earlier writes to that file, and no others")
  func cutKeepsEarlierWritesToThatFile() throws {
    guard
      case .made(let cut) = try files.open("/cut", orMakeWith: [0, 0, 0, 0]),
      case .made(let other) = try files.open("/other", orMakeWith: [0, 0])
    else {
      Issue.record("not made")
      return
    }
    try cut.write([1], at: 0)
    try other.write([1], at: 0)
    files.cutPower(inNextWriteAfter: 1)
    #expect(throws: JournalFileError(errno: EIO)) { try cut.write([2, 3], at: 2) }
    expectNoDifference(files.contents(of: "/cut"), [1, 0, 2, 0])
    expectNoDifference(files.contents(of: "/other"), [0, 0])
  }

  @Test("A dead file that is released gives nobody else's lock back")
  func deadFile() throws {
    var dead: LifecycleJournal? = try open()
    files.cutPower()
    let alive = try open()
    withExtendedLifetime(dead) {}
    dead = nil
    #expect(throws: LifecycleJournal.OpenError.inUse(path: "/state", processID: getpid())) {
      try open()
    }
    withExtendedLifetime(alive) {}
  }

  @Test("A transition that was delivered stays through a loss of power")
  func deliveredTransitionSurvivesLossOfPower() throws {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let journal = try open(bus)
    bus.send(.didBecomeActive)
    files.cutPower()
    expectNoDifference(try open().previousRun.exit, .killedInForeground)
    bus.send(.didEnterBackground)
    expectNoDifference(
      failures.take(),
      [.cannotWrite(path: "/state", errno: EIO)]
    )
    withExtendedLifetime(journal) {}
  }

  @Test("A write that is cut off anywhere leaves the record before it", arguments: [true, false])
  func cutWrite(makesWholeFiles: Bool) throws {
    for count in 0...110 {
      let files = InMemoryFileSystem(makesWholeFiles: makesWholeFiles)
      let bus = NonisolatedLifecycleBus(clock: clock)
      let journal = try open(bus, in: files)
      bus.send(.didFinishLaunching)
      files.cutPower(inNextWriteAfter: count)
      bus.send(.willEnterForeground)
      // The last eight bytes say nothing that was not said before.
      let isWhole = count >= 105 - 8
      expectNoDifference(
        try open(in: files).previousRun.exit,
        isWhole ? .killedInForeground : .killedInBackground
      )
      withExtendedLifetime(journal) {}
    }
  }

  @Test(
    "Where files can't appear as a whole, an opening that is cut off anywhere is a first launch"
  )
  func cutOpening() throws {
    for write in 1...2 {
      for count in [0, 1, 100, 130] {
        let files = InMemoryFileSystem(makesWholeFiles: false)
        if write == 2 { files.setContents([UInt8](repeating: 0, count: 8192), of: "/state") }
        files.cutPower(inNextWriteAfter: count)
        #expect(throws: LifecycleJournal.OpenError.cannotOpen(path: "/state", errno: EIO)) {
          try open(in: files)
        }
        expectNoDifference(try open(in: files).previousRun.exit, .firstLaunch)
      }
    }
    let files = InMemoryFileSystem(makesWholeFiles: false)
    let journal = try open(in: files)
    expectNoDifference(files.operations.first, .created("/state", bytes: 0))
    expectNoDifference(files.contents(of: "/state")?.count, 8192)
    withExtendedLifetime(journal) {}
  }
}
