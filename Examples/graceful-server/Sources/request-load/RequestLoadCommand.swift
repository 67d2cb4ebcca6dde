import ArgumentParser
import Foundation

@main
struct RequestLoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "request-load",
    abstract: "Sends requests to a server until it accepts no connection, and reports their fates.",
    discussion: """
      Half of the clients use a connection for several requests, the others for one. The program \
      prints "started" when each client has received a response, and the fates at the end. The exit \
      status is 1 if an accepted connection got no complete response, or one whose status is not 200.
      """
  )

  @Option(help: "The port of the server on this machine.")
  var port: UInt16

  @Option(help: "The number of clients.")
  var clients = 8

  @Option(help: "The path that every second pair of clients requests; the others request /.")
  var path = "/?milliseconds=20"

  func run() throws {
    let clients = (0..<clients).map { number in
      Client(
        port: port,
        path: number / 2 % 2 == 0 ? "/" : path,
        keepsAlive: number % 2 == 0,
        onLoss: { report("lost: \($0)") }
      )
    }
    let tally = LoadRun(clients: clients.count).run(clients) { report("started") }
    report("\(tally)")
    if tally[.lost] + tally[.failed] > 0 { throw ExitCode.failure }
  }
}

/// Writes a line at once, also into a pipe.
private func report(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
