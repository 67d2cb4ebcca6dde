import ArgumentParser
import Foundation
import JobControl

/// Measures, and prints the tables.
struct Measure: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures each child in turn, on a separate terminal.",
    discussion: """
      Exits with 1 if a child died, if a record came twice or was missing, or if an idle process in \
      the foreground woke up. A ratio over its limit is printed, and no error.
      """
  )

  @Option(help: "The number of times that Ctrl-Z is typed to each child.")
  var rounds = 200

  @Option(
    help: """
      How long all children rest before a round, in seconds. After 5 s libdispatch has ended its \
      threads, and the next Ctrl-Z starts one.
      """
  )
  var restSeconds = 0

  @Option(help: "The time for which idle processes are watched, in seconds; 0 to skip.")
  var idleSeconds = 5

  @Option(help: "The file to write each latency to, as comma-separated values.")
  var csv: String?

  func validate() throws {
    guard rounds >= 0, rounds <= 100_000 else {
      throw ValidationError("--rounds must be from 0 to 100000, not \(rounds).")
    }
    guard restSeconds >= 0, restSeconds <= 3_600 else {
      throw ValidationError("--rest-seconds must be from 0 to 3600, not \(restSeconds).")
    }
    guard idleSeconds >= 0, idleSeconds <= 3_600 else {
      throw ValidationError("--idle-seconds must be from 0 to 3600, not \(idleSeconds).")
    }
  }

  func run() throws {
    do {
      if rounds > 0 { try measureLatency() }
      if idleSeconds > 0 { try measureIdleness() }
    } catch let error as LatencyError {
      tell("signal-latency: \(error)")
      throw ExitCode(error.exitCode)
    } catch let error as JobControlError {
      tell("signal-latency: \(error)")
      throw ExitCode.failure
    }
  }

  private func measureLatency() throws {
    let children = try Peer.allCases.map { try Child($0) }
    var latencies = Latencies()
    for round in 1...rounds {
      if restSeconds > 0 { sleep(UInt32(restSeconds)) }
      for offset in children.indices {
        let child = children[(round + offset) % children.count]
        latencies.append(try child.stopAndReturn(round: round))
      }
      if round % 50 == 0 || round == rounds { tell("round \(round) of \(rounds)") }
    }
    for child in children { try child.expectSilence(round: rounds) }
    print(LatencyTable(latencies: latencies, rounds: rounds).text)
    if let csv { try write(latencies, to: csv) }
  }

  private func write(_ latencies: Latencies, to path: String) throws {
    let lines = latencies.all.map { "\($0.round),\($0.peer.rawValue),\($0.called),\($0.arrived)" }
    let text = (["round,child,called_ns,arrived_ns"] + lines).joined(separator: "\n") + "\n"
    do {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    } catch {
      tell("signal-latency: cannot write \(path): \(error.localizedDescription)")
      throw ExitCode(74)
    }
  }

  private func measureIdleness() throws {
    let children = try Peer.allCases.filter(\.isBus).map { try Child($0) }
    let check = IdleCheck(seconds: idleSeconds)
    tell("idle in the foreground: settling, then \(idleSeconds) s")
    let inForeground = try check.run(children, place: "in the foreground", isSettling: true)
    for child in children { try child.moveToBackground() }
    tell("idle in the background: \(idleSeconds) s")
    let inBackground = try check.run(children, place: "in the background", isSettling: false)
    print("")
    for result in inForeground + inBackground { print(result.text) }
    guard inForeground.allSatisfy(\.isQuiet) else {
      tell("signal-latency: an idle process in the foreground woke up, which must not happen.")
      throw ExitCode.failure
    }
  }

  private func tell(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}
