import ArgumentParser
import Foundation
import LifecycleBackgroundWork
import ProgramReporting
import ReactiveLifecycle

@main
struct FeedRefresherCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed-refresher",
    abstract: "Looks at an RSS or Atom feed, and says what is new.",
    discussion: """
      It fetches the feed once, and exits: with 0, or with 69 if the fetch has failed. With an interval \
      it goes on: press Enter to fetch again; a line through a pipe does the same. Press Ctrl-Z, then \
      type bg: it fetches by the interval in the background. Ctrl-C ends it.

      An Enter that is pressed while a fetch is under way is covered by that fetch. A fetch that is \
      under way when Ctrl-Z is pressed may end before the process stops, for 5 s at the most.

      A feed may have 10 MB, its elements may be nested 256 deep, and it may declare nothing itself. \
      Of a title, 200 characters are shown. On Linux, Foundation's networking ends the process if a \
      server claims that its answer has more than 9223372036854775295 bytes, and it may hang or crash \
      under a limit of the address space (ulimit -v) of less than 600 MB.

      A server that says what its feed is to be recognised by is asked next time \
      whether there is another one by now. An option that is wrong is an error with the status 64.
      """
  )

  @Option(
    name: .long,
    parsing: .unconditional,
    help: ArgumentHelp("The address of the feed, http or https.", valueName: "url"),
    transform: parseAddress
  )
  var feed: URL

  @Option(
    name: .long,
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      How many seconds there are between two fetches in the background, at least: a number from 1 to \
      1000000000. Without it there is one fetch.
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
      "How many seconds a fetch may take: a number from 0.1 to 86400. (default: 30)",
      valueName: "s"
    ),
    transform: { try PlainNumber.parse($0, in: 0.1...86_400) }
  )
  var deadline = 30.0

  @Option(
    name: .long,
    parsing: .unconditional,
    help: "text for people; json for programs: one object a line."
  )
  var format = ReportFormat.text

  static func main() async {
    StandardDescriptors.occupy()
    await runOnArguments()
  }

  func run() async throws {
    let program = await FeedProgram(
      url: feed,
      interval: interval.map { .seconds($0) },
      deadline: .seconds(deadline),
      format: format
    ) { diagnose($0) }
    let result: BackgroundFetchResult
    do {
      result = try await program.run()
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
  else { throw ValidationError("Give an address like https://example.org/feed.xml.") }
  return url
}

private func diagnose(_ message: String) {
  DescriptorOutput.diagnose(message, program: "feed-refresher")
}
