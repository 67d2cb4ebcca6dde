import ArgumentParser
import FeedRefresher
import Foundation
import LifecycleBackgroundWork
import ProgramReporting

@main
struct FeedRefresherCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed-refresher",
    abstract: "Fetches an RSS or Atom feed, and lists its new entries.",
    discussion: """
      Without an interval, the program fetches the feed once and exits: with 0, or with 69 if the \
      fetch failed. With an interval, it continues: press Enter, or write a line to its standard \
      input, to fetch again. Press Ctrl-Z, then type bg: it fetches at the interval in the background. \
      Press Ctrl-C to quit.

      Pressing Enter during a fetch has no effect. If a fetch is under way when you press Ctrl-Z, the \
      process continues for up to 5 s to finish it, and stops afterward.

      A feed may have up to 10 MB, and its elements may be nested up to 256 levels deep. A document \
      type with declarations is not accepted. At most 200 characters of a title are shown. On Linux, \
      Foundation's networking ends the process if a server announces a response of more than \
      9223372036854775295 bytes, and it may hang or crash if the address space is limited to less \
      than 600 MB (ulimit -v).

      If the server sends an ETag or a Last-Modified header, later requests are conditional. The exit \
      status is 64 if an option is invalid.
      """
  )

  @Option(
    name: .long,
    parsing: .unconditional,
    help: ArgumentHelp("The address of the feed, with http or https.", valueName: "url"),
    transform: parseAddress
  )
  var feed: URL

  @Option(
    name: .long,
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      The minimum time between two fetches in the background, in seconds: a number from 1 to \
      1000000000. Without it, there is only one fetch.
      """,
      valueName: "s"
    ),
    transform: { try PlainNumber.parse($0, in: 1...1_000_000_000) }
  )
  var interval: Double?

  @Option(
    name: .long,
    parsing: .unconditional,
    help: ArgumentHelp(
      "The time that a fetch may take, in seconds: a number from 0.1 to 86400. (default: 30)",
      valueName: "s"
    ),
    transform: { try PlainNumber.parse($0, in: 0.1...86_400) }
  )
  var deadline = 30.0

  @Option(
    name: .long,
    parsing: .unconditional,
    help: "The output format: text for people, or json for programs, with one object per line."
  )
  var format = ReportFormat.text

  static func main() async {
    StandardDescriptors.occupy()
    await runOnArguments()
  }

  func run() async throws {
    let result: BackgroundFetchResult
    do {
      result = try await FeedProgram.run(
        url: feed,
        interval: interval.map { .seconds($0) },
        deadline: .seconds(deadline),
        format: format
      ) { diagnose($0) }
    } catch {
      diagnose("\(error)")
      throw ExitCode(error is DescriptorOutput.Failure ? EX_IOERR : EX_OSERR)
    }
    if result == .failed { throw ExitCode(EX_UNAVAILABLE) }
  }
}

extension ReportFormat: ExpressibleByArgument {}

private func parseAddress(_ text: String) throws -> URL {
  guard let url = URL(string: text), let scheme = url.scheme?.lowercased(),
    ["http", "https"].contains(scheme), let host = url.host, !host.isEmpty
  else { throw ValidationError("Specify an address such as https://example.org/feed.xml.") }
  return url
}

private func diagnose(_ message: String) {
  DescriptorOutput.diagnose(message, program: "feed-refresher")
}
