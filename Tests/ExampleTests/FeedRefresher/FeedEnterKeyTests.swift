import Foundation
import Testing

@testable import FeedRefresher

@MainActor
@Suite("The Enter key")
struct FeedEnterKeyTests {
  @Test("A line through a pipe is one, now or when it is listened to again")
  func lineThroughPipeIsOneEnter() async throws {
    var ends: [CInt] = [-1, -1]
    // Stays open: the source lets go of it in its own time.
    try #require(Foundation.pipe(&ends) == 0)
    let input = FileHandle(fileDescriptor: ends[1])
    let (presses, pressed) = AsyncStream.makeStream(of: Void.self)
    var iterator = presses.makeAsyncIterator()
    let key = EnterKey(descriptor: ends[0]) { pressed.yield() }
    key.isEnabled = true
    input.write(Data("\n".utf8))
    await iterator.next()
    key.isEnabled = false
    input.write(Data("again\n".utf8))
    key.isEnabled = true
    await iterator.next()
    key.isEnabled = false
  }
}
