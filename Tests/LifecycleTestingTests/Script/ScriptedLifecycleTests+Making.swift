import CustomDump
import LifecycleJournaling
import LifecycleTesting
import ReactiveLifecycle
import Testing

extension ScriptedLifecycleTests {
  @Test("A lifecycle uses the clock and the file system of the test, on both buses")
  func clockAndFileSystem() throws {
    let (clock, files) = (ManualClock(), InMemoryFileSystem())
    let fileSystem = JournalFileSystem.inMemory(files)
    try checkUse(ScriptedLifecycle(clock: clock, fileSystem: fileSystem), of: clock, "/main")
    try checkUse(
      NonisolatedScriptedLifecycle(clock: clock, fileSystem: fileSystem),
      of: clock,
      "/nonisolated"
    )
    expectNoDifference(files.paths, ["/main", "/nonisolated"])
  }

  private func checkUse<Bus>(
    _ lifecycle: LifecycleScript<Bus>,
    of clock: ManualClock,
    _ path: String
  ) throws {
    #expect(lifecycle.clock === clock)
    let start = clock.elapsed
    lifecycle.perform(.launch, .advance(by: .seconds(5)))
    expectNoDifference(clock.elapsed - start, .seconds(5))
    _ = try LifecycleJournal(at: path, of: lifecycle.bus, fileSystem: lifecycle.fileSystem)
  }
}
