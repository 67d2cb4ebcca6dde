import CustomDump
import Foundation
import JobControl
import LifecycleCombine
import LifecycleCountdowns
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// What the tutorial shows compiles at each step, and prints what it says. Its last files run here:
/// `ReservationTests.swift` and the target `BikeRental` are links to them.
@Suite("Tutorial")
struct TutorialTests {
  private static let folder =
    "Sources/LifecycleCore/Documentation.docc/Tutorials/Resources"

  /// The Swift files of the steps, whose names begin with the numbers of the step.
  private static let files = try! Sample.paths(below: folder, endingIn: [".swift"])

  @Test(
    "Each step compiles, together with the files of the steps before, without a warning",
    .enabled(if: Compiler() != nil, "no swiftc on the search path"),
    .startsProcesses,
    arguments: files
  )
  func eachStepCompiles(_ file: String) throws {
    let compiler = try #require(Compiler())
    func path(_ file: String) -> String { Sample.root.appending(path: file).path }
    func name(_ file: String) -> Substring { file.dropFirst("\(Self.folder)/00-00-00-".count) }
    if name(file) == "Package.swift" {
      return expectNoDifference(try compiler.diagnostics(ofManifest: path(file)), [])
    }
    // The latest file of each name.
    let stage = Dictionary(
      Self.files.filter { $0 <= file && name($0) != "Package.swift" }.map { (name($0), $0) },
      uniquingKeysWith: { $1 }
    )
    #if os(Linux)
      let tests = stage.filter { $0.key.hasSuffix("Tests.swift") }
    #else
      // The compiler alone doesn't find Swift Testing.
      let tests: [Substring: String] = [:]
    #endif
    let diagnostics = try compiler.diagnostics(
      ofProgram: "BikeRental",
      files: stage.filter { !$0.key.hasSuffix("Tests.swift") }.values.map(path).sorted(),
      tests: tests.values.map(path)
    )
    expectNoDifference(diagnostics, [])
  }

  @Test("The program prints what the tutorial shows", .startsProcesses)
  func programPrintsWhatTutorialShows() async throws {
    let (printed, status) = try await withJobControlSession(
      executable: builtProgramPath("lifecycle-tour")
    ) { session in
      var request = JobRequest([try builtProgramPath("BikeRental")])
      request.standardOutput = .terminal
      let job = try session.launch(request)
      // The opening is shown as the observers are added, the line after it by the run loop.
      try session.waitForTerminal("the opening, and a line after it") { shown in
        shown.replacing("\r\n", with: "\n").contains(/Opened\n\d+ s left\n/)
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
    let text = try Sample.text("\(Self.folder)/02-02-04-Terminal.txt")
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

  @Test("The mistakes in the tutorial fail with the messages that it shows")
  @MainActor
  func mistakes() throws {
    let lifecycle = ScriptedLifecycle()
    let paused = Reservation(on: lifecycle.bus, inBackground: .pause)
    lifecycle.perform(.launch, .becomeActive, .advance(by: .seconds(10)))
    let absence = LifecycleStep.background(for: .seconds(90), deviceAsleep: .seconds(60))
    let differences = reportedIssues {
      lifecycle.expect(paused, after: absence) { $0.remaining = 200 }
    }
    try expectShown(differences, in: "03-03-02-Terminal.txt")

    let other = ScriptedLifecycle()
    var leaking: Reservation? = Reservation(on: other.bus, leaks: true)
    other.perform(.launch, .becomeActive)
    let leaks = reportedIssues { expectReleased(&leaking, of: other.bus) }
    try expectShown(leaks, in: "03-03-04-Terminal.txt")
  }

  /// Expects that a failure has the lines of the file, but for places and what "…" stands for.
  private func expectShown(_ issues: [ReportedIssue], in file: String) throws {
    let message = try #require(issues.first).message.replacing(/\w+\/\w+\.swift:\d+/, with: "FILE")
    #expect(issues.count == 1)
    let shown = try Sample.text("\(Self.folder)/\(file)").components(separatedBy: "↳ ")
    for line in try #require(shown.last).split(separator: "\n") {
      let start = line.replacing(/\w+\/\w+\.swift:\d+/, with: "FILE").split(separator: "…").first
      guard let start else { continue }
      let text = start.trimmingCharacters(in: .whitespaces)
      #expect(message.contains(text), "\(text) is not in \(message)")
    }
  }
}

/// The tutorial's view model with its two mistakes.
@MainActor
private final class Reservation {
  private(set) var remaining = 300
  private let countdown: Countdown
  private let scope = LifecycleScope("reservation")

  init(
    on bus: LifecycleBus,
    inBackground behavior: Countdown.BackgroundBehavior = .catchUp,
    leaks: Bool = false
  ) {
    countdown = Countdown(.seconds(300), of: bus, inBackground: behavior)
    countdown.start()
    countdown.states.sink { [weak self] in self?.show($0) }.store(in: scope)
    bus.onOpen(in: scope) { [strong = leaks ? self : nil] _ in strong?.hide() }
    bus.addObserver(for: .didEnterBackground, in: scope) { [weak self] _ in self?.hide() }
  }

  private func show(_ state: Countdown.State) {
    remaining = Int(state.remaining.components.seconds)
  }

  private func hide() {}
}
