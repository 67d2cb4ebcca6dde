import CustomDump
import Testing

@testable import LifecycleTerminal

@Suite("What a session takes from the terminal when it gives that back")
struct TerminalDrainTests {
  @Test("All that is there, in pieces")
  func all() {
    var readings: [TerminalDevice.Reading] = [.bytes([1, 2]), .bytes([3]), .nothing, .bytes([4])]
    var taken: [UInt8] = []
    TerminalDevice.drain({ readings.removeFirst() }, { taken += $0 })
    expectNoDifference(taken, [1, 2, 3])
    expectNoDifference(readings.count, 1)
  }

  @Test("No more than 64 KiB of a terminal that is written to without end")
  func limit() {
    var count = 0
    TerminalDevice.drain({ .bytes([UInt8](repeating: 1, count: 4_096)) }, { count += $0.count })
    expectNoDifference(count, 65_536)
  }
}
