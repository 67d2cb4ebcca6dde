import CustomDump
import Foundation
import LifecycleBackgroundWork
import Testing

@Suite("Background fetch: encoded intervals")
struct BackgroundFetchIntervalTests {
  private func decoded(_ json: String) throws -> BackgroundFetchInterval {
    try JSONDecoder().decode(BackgroundFetchInterval.self, from: Data(json.utf8))
  }

  private func encoded(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  @Test("Never and minimum are texts, and other intervals durations")
  func roundTrip() throws {
    let duration = Duration.milliseconds(900_500)
    let forms: [(BackgroundFetchInterval, String)] = [
      (.never, #""never""#), (.minimum, #""minimum""#),
      (.after(duration), try encoded(duration)),
    ]
    for (interval, json) in forms {
      expectNoDifference(try encoded(interval), json)
      expectNoDifference(try decoded(json), interval)
    }
  }

  @Test("Any other text is refused, and named")
  func otherText() {
    do {
      Issue.record("\(try decoded(#""often""#)) was decoded")
    } catch DecodingError.dataCorrupted(let context) {
      #expect(context.debugDescription.contains(#""often""#))
    } catch {
      Issue.record(error)
    }
  }
}
