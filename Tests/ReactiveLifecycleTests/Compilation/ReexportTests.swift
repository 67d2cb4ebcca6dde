#if !canImport(Combine)
  import CustomDump
  import TestSupport
  import Testing

  @Suite(
    "Reexports of LifecycleCombine",
    .enabled(if: Compiler() != nil, "no swiftc on the search path"),
    .startsProcesses
  )
  struct ReexportTests {
    @Test("OpenCombine's core alone: nothing of Dispatch and Foundation publishes or schedules")
    func openCombineWithoutExtensions() throws {
      let code = """
        let queue = Just(1).receive(on: DispatchQueue.main)
        let publish = Timer.publish
        let publisher = NotificationCenter.default.publisher
        """
      let imports = ["Dispatch", "Foundation", "LifecycleCombine"]
      let errors = try #require(Compiler()).errors(in: code, importing: imports)
      expectNoDifference(
        errors.map { $0.split(separator: ": error: ").last },
        [
          """
          instance method 'receive(on:options:)' requires that 'DispatchQueue' conform to \
          'Scheduler'
          """,
          "type 'Timer' has no member 'publish'",
          "value of type 'NotificationCenter' has no member 'publisher'",
        ]
      )
    }
  }
#endif
