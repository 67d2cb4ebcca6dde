import CustomDump
import Foundation
import JobControl
import LifecycleTesting
import TestSupport
import Testing

/// What the tutorial shows compiles at each step, and prints what it says.
@Suite("Tutorial")
struct TutorialTests {
  private static let tutorial = try! Tutorial()

  @Test("Each step shows one file, which bears its numbers")
  func eachStepShowsItsFile() {
    let steps = Self.tutorial.steps
    #expect(steps.count == Self.tutorial.stepCount)
    for step in steps {
      let isTerminal = step.name == "Terminal"
      #expect(step.file == "\(step.number)-\(step.name)\(isTerminal ? ".txt" : "")")
    }
  }

  @Test("Each file is shown, and each that is shown exists")
  func eachFileIsShown() throws {
    let tutorial = Self.tutorial
    let files = try FileManager.default
      .contentsOfDirectory(atPath: Tutorial.folder.appending(path: "Resources").path)
    let shown = tutorial.otherReferences.union(tutorial.steps.map(\.file))
    expectNoDifference(Set(files.map { $0.replacing("~dark", with: "") }), shown)
    let tutorials = try FileManager.default.contentsOfDirectory(atPath: Tutorial.folder.path)
      .filter { $0.hasSuffix(".tutorial") }.map { String($0.dropLast(".tutorial".count)) }
    expectNoDifference(Set(tutorials), Set(tutorial.names + ["ATestedViewModel"]))
  }

  @Test(
    "Each step compiles, together with the files of the steps before, without a warning",
    .enabled(if: Compiler() != nil, "no swiftc on the search path"),
    .startsProcesses,
    arguments: tutorial.steps.filter { $0.file.hasSuffix(".swift") }
  )
  func eachStepCompiles(_ step: Tutorial.Step) throws {
    let compiler = try #require(Compiler())
    func path(_ file: String) -> String {
      Tutorial.folder.appending(path: "Resources/\(file)").path
    }
    if step.name == "Package.swift" {
      return expectNoDifference(try compiler.diagnostics(ofManifest: path(step.file)), [])
    }
    let code = step.stage.filter { $0.key.hasSuffix(".swift") && $0.key != "Package.swift" }
    let (tests, program) = (
      code.filter { $0.key.hasSuffix("Tests.swift") },
      code.filter { !$0.key.hasSuffix("Tests.swift") }
    )
    #if os(Linux)
      let testFiles = tests.values.map(path)
    #else
      // The compiler alone doesn't find Swift Testing.
      let testFiles: [String] = []
    #endif
    let diagnostics = try compiler.diagnostics(
      ofProgram: "BikeRental",
      files: program.values.map(path).sorted(),
      tests: testFiles.sorted()
    )
    expectNoDifference(diagnostics, [])
  }

  @Test(
    "The last files are those that run here",
    arguments: [
      "bike-rental/BikeRental.swift", "bike-rental/Reservation.swift",
      "DocumentationTests/Tutorial/ReservationTests.swift",
    ]
  )
  func lastFilesRun(_ file: String) throws {
    let url = Sample.root.appending(path: "Tests/\(file)")
    let shown = try Self.tutorial.last(url.lastPathComponent)
    expectNoDifference(
      try String(contentsOf: url, encoding: .utf8),
      shown.replacing("import BikeRental", with: "import bike_rental")
    )
  }

  @Test("The program prints what the tutorial shows", .startsProcesses)
  func programPrintsWhatTutorialShows() async throws {
    let (printed, status) = try await withJobControlSession(
      executable: builtProgramPath("lifecycle-tour")
    ) { session in
      var request = JobRequest([try builtProgramPath("bike-rental")])
      request.standardOutput = .terminal
      let job = try session.launch(request)
      // The first line is shown before the observers are added, the second one by the run loop.
      try session.waitForTerminal("two lines") { shown in
        shown.replacing("\r\n", with: "\n").contains(/300 s left\n\d+ s left\n/)
      }
      try session.terminal.type(PseudoTerminal.controlZ)
      #expect(try job.nextStatus().status == .stopped(SIGTSTP))
      try session.foreground(job)
      // Not before the line after it is complete: Ctrl-C discards output that is not read yet.
      try session.waitForTerminal("the return, and a line after it") { shown in
        shown.replacing("\r\n", with: "\n").contains(/Back after \d+ s\n\d+ s left\n/)
      }
      try session.terminal.type(PseudoTerminal.controlC)
      let status = try job.waitUntilEnd()
      return (session.terminal.outputText.replacing("\r\n", with: "\n"), status)
    }
    let text = try Tutorial.text("Resources/02-02-04-Terminal.txt")
    #expect(status == .signaled(SIGINT) && text.hasSuffix("\(128 + SIGINT)\n"))
    let shown = text.split(separator: "\n").filter { !$0.contains(/^(\$|\[1\]|swift run|…|\d+$)/) }
    expectNoDifference(withoutNumbers(printed), withoutNumbers(shown.joined(separator: "\n")))
  }

  /// The lines without numbers, and without repetitions: the program may run for any time. A key
  /// begins a line, as it may come before a tick, or discard the end of the line before it.
  private func withoutNumbers(_ text: String) -> [String] {
    var result: [String] = []
    for line in text.replacing(/\^[ZC]/, with: "\n").split(separator: "\n") {
      let line = String(line.replacing(/\d+/, with: "N"))
      if result.last != line { result.append(line) }
    }
    return result
  }
}
