import CLifecycleShims
import CustomDump
import Testing

@testable import LifecycleProcess

@Suite("The messages of signal handlers among the bytes of the pipe")
struct SignalMessageParserTests {
  private static let messages = (1...3).map { number in
    lifecycle_message(
      mark: LIFECYCLE_MESSAGE_MARK,
      signo: number,
      pid: 7,
      continuous: Int64(number),
      suspending: 2,
      wall: 3
    )
  }

  private func bytes(of message: lifecycle_message) -> [UInt8] {
    withUnsafeBytes(of: message) { Array($0) }
  }

  /// The numbers of the signals, and their times, of bytes that are read in pieces.
  private func numbers(in pieces: [[UInt8]]) -> [[Int64]] {
    var parser = SignalMessageParser()
    return pieces.flatMap { parser.take($0) }.map { [Int64($0.signo), $0.continuous] }
  }

  @Test("Messages that are read in two pieces are complete, wherever they are cut")
  func pieces() {
    let bytes = Self.messages.flatMap(bytes(of:))
    for cut in 0...bytes.count {
      let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
      expectNoDifference(numbers(in: pieces), [[1, 1], [2, 2], [3, 3]], "cut at \(cut)")
    }
  }

  @Test("Bytes of other writers between messages shift and hide none", arguments: 1...80)
  func foreignBytes(count: Int) {
    let text = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37) }
    let read = text + Self.messages.flatMap { bytes(of: $0) + text }
    expectNoDifference(numbers(in: [read]), [[1, 1], [2, 2], [3, 3]])
    expectNoDifference(numbers(in: read.map { [$0] }), [[1, 1], [2, 2], [3, 3]])
  }
}
