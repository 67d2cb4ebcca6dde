import ArgumentParser
import BenchmarkSupport
import Foundation

/// Runs the peers in turn, several rounds, and writes the report.
@main
struct Compare: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Measures the lifecycle bus and its peers side by side.",
    discussion: """
      Writes comparison.md, measurements.csv, and plots in light and dark, drawn by gnuplot.

      Exit codes: 0 measured, 1 a peer called an observer the wrong number of times, 64 usage, \
      69 gnuplot or a peer is missing, 70 a peer failed otherwise, 74 the report can't be written.
      """
  )

  @Option(help: "How many rounds. Each measures every row once.")
  var rounds = 9

  @Flag(help: "One short round: shows that everything works, not how fast it is.")
  var quick = false

  @Option(help: "The folder of the report. (default: report, beside the executable)")
  var output: String?

  func validate() throws {
    guard rounds >= 1 else {
      throw ValidationError("--rounds is \(rounds); there must be at least 1.")
    }
  }

  func run() async throws {
    do {
      try await compare()
    } catch {
      logError(error.description)
      throw ExitCode(error.exitCode)
    }
  }

  private func compare() async throws(CompareError) {
    let gnuplot = await Gnuplot.find()
    if gnuplot == nil { logError("\(CompareError.gnuplotMissing) Measuring without it.") }
    let executables = Bundle.main.executableURL!.deletingLastPathComponent()
    let folder = output.map { URL(filePath: $0) } ?? executables.appending(path: "report")
    // Before the minutes of measuring, in case it can't be made.
    let files = try ReportFolder(folder)

    let measurements = try await measure(in: executables)
    let report = try Report(measurements)
    try files.write(report.markdown, to: "comparison.md")
    try files.write(measurements.csv, to: "measurements.csv")
    for chart in report.charts {
      for appearance in Appearance.allCases {
        let script = "\(chart.name(in: appearance)).gp"
        try files.write(chart.script(in: appearance), to: script)
        try await gnuplot?.draw(script, in: folder)
      }
    }
    print("Report: \(folder.appending(path: "comparison.md").path)")
    if gnuplot == nil { throw .gnuplotMissing }
  }

  private func measure(in executables: URL) async throws(CompareError) -> Measurements {
    let rounds = quick ? 1 : rounds
    var measurements = Measurements()
    for round in 0..<rounds {
      var rows: [BenchmarkOutput.Row] = []
      for (index, column) in Column.all.enumerated() {
        report("round \(round + 1) of \(rounds): \(column)")
        // In rotating order, so that no peer always runs after the same one.
        let first = (round + index) % Peer.all.count
        for peer in Peer.all[first...] + Peer.all[..<first] {
          rows += try await peer.measure(column, in: executables, secondsPerRow: secondsPerRow)
        }
      }
      measurements.addRound(rows)
    }
    return measurements
  }

  private var secondsPerRow: Double { quick ? 0.01 : 0.03 }
}

/// Writes a line of progress.
func report(_ line: String) {
  FileHandle.standardError.write(Data("\(line)\n".utf8))
}

/// Writes an error.
func logError(_ message: String) {
  report("error: \(message)")
}
