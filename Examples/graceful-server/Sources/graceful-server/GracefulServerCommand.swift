import ArgumentParser
import FlyingSocks
import Foundation
import Logging

@main
struct GracefulServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graceful-server",
    abstract: "Serves a greeting over HTTP, and loses no request when it is stopped.",
    discussion: """
      SIGTERM and SIGINT: /ready responds with 503, the requests that have been accepted are \
      answered, and the signal ends the process. A second SIGINT ends it at once. SIGHUP: the \
      configuration file is read again.
      """
  )

  @Option(help: ArgumentHelp("The IPv4 address to listen to.", valueName: "address"))
  var host = "127.0.0.1"

  @Option(help: "The port to listen to. 0 stands for any port; the program prints which.")
  var port: UInt16 = 8080

  @Option(help: ArgumentHelp("A JSON file, such as {\"greeting\": \"Hello\"}.", valueName: "file"))
  var settings: String?

  @Option(
    help: ArgumentHelp(
      """
      The time for which new connections are accepted after SIGTERM, in seconds: as long as a load \
      balancer needs to notice that /ready responds with 503.
      """,
      valueName: "s"
    )
  )
  var drainDelay = 0.0

  @Option(
    help: ArgumentHelp(
      "The time without a request after which a connection is closed, once no new ones are accepted.",
      valueName: "s"
    )
  )
  var allowedSilence = 1.0

  @Option(
    help: ArgumentHelp(
      "The time from SIGTERM to the end, in seconds. Requests that take longer are cancelled.",
      valueName: "s"
    )
  )
  var deadline = 8.0

  func validate() throws {
    if settings?.isEmpty == true {
      throw ValidationError("--settings is empty: give the path of a file.")
    }
    for (name, value) in [
      ("drain-delay", drainDelay), ("allowed-silence", allowedSilence), ("deadline", deadline),
    ] where !(0...86_400).contains(value) {
      throw ValidationError("--\(name) is \(value): give a number of seconds from 0 to 86400.")
    }
    guard drainDelay < deadline else {
      throw ValidationError(
        "--drain-delay is \(drainDelay): give less than --deadline, which is \(deadline)."
      )
    }
  }

  func run() async throws {
    let address: sockaddr_in = try .inet(ip4: host, port: port)
    let logger = Logger(label: "graceful-server") { StreamLogHandler.standardError(label: $0) }
    let program = ServerProgram(
      settings: try SettingsFile(path: settings),
      address: address,
      plan: DrainPlan(
        delay: .seconds(drainDelay),
        allowedSilence: .seconds(allowedSilence),
        deadline: .seconds(deadline)
      ),
      logger: logger
    )
    try await program.run()
  }
}
