import CustomDump
import Testing

@testable import LifecycleTerminal

@Suite("Terminal input buffer")
struct InputBufferTests {
  private enum Step: CaseIterable {
    case add, take, cancelFirst, cancelLast, finish
  }

  @Test("Every sequence of up to seven steps loses no byte and no waiter")
  func everySequence() {
    var breaches: [String] = []
    func explore(_ run: Run, _ path: [Step]) {
      guard path.count < 7 else { return }
      for step in Step.allCases {
        var run = run
        run.perform(step)
        if let breach = run.breach {
          breaches.append("\(path + [step]): \(breach)")
        } else {
          explore(run, path + [step])
        }
      }
    }
    explore(Run(), [])
    #expect(breaches.isEmpty, "\(breaches.prefix(5))")
  }

  @Test("A full buffer accepts no bytes until the program has taken them")
  func full() {
    var buffer = InputBuffer<Int>()
    let read = [UInt8](repeating: 7, count: 4_096)
    while buffer.acceptsBytes { #expect(buffer.add(read) == nil) }
    let id = buffer.makeID()
    expectNoDifference(buffer.take(id, 1)??.count, 65_536)
    #expect(buffer.acceptsBytes)
  }

  /// The steps with a model: bytes are numbered, and so are the waiters.
  private struct Run {
    private var buffer = InputBuffer<Int>()
    private var added: [UInt8] = []
    private var received: [UInt8] = []
    private var waiting: [(id: UInt64, waiter: Int)] = []
    private var isFinished = false
    private(set) var breach: String?

    mutating func perform(_ step: Step) {
      switch step {
      case .add:
        let byte = UInt8(added.count)
        let result = buffer.add([byte])
        guard !isFinished else { return expect(result == nil, "accepted after the end") }
        added.append(byte)
        expect(result?.waiter == waiting.first?.waiter, "the first waiter receives")
        if let result {
          waiting.removeFirst()
          received += result.bytes ?? []
        }
      case .take:
        let id = buffer.makeID()
        switch buffer.take(id, Int(id)) {
        case .none: waiting.append((id, Int(id)))
        case .some(nil): expect(isFinished && received == added, "ended too early")
        case .some(let bytes?): received += bytes
        }
      case .cancelFirst, .cancelLast:
        let chosen = step == .cancelFirst ? waiting.first : waiting.last
        guard let chosen else { return expect(buffer.cancel(99) == nil, "cancelled another") }
        expect(buffer.cancel(chosen.id) == chosen.waiter, "cancelled another")
        expect(buffer.cancel(chosen.id) == nil, "cancelled twice")
        waiting.removeAll { $0.id == chosen.id }
      case .finish:
        expect(buffer.finish() == waiting.map(\.waiter), "a waiter was forgotten")
        waiting = []
        isFinished = true
      }
      expect(added.starts(with: received), "out of order")
      expect(waiting.isEmpty || received == added, "waits for bytes that are there")
      expect(!isFinished || waiting.isEmpty, "waits after the end")
    }

    private mutating func expect(_ condition: Bool, _ text: String) {
      if !condition, breach == nil { breach = text }
    }
  }
}

@Suite("The input that a session drains when it gives the terminal back")
struct TerminalDrainTests {
  @Test("Draining takes all input that is available, in pieces")
  func all() {
    var readings: [TerminalDevice.Reading] = [.bytes([1, 2]), .bytes([3]), .nothing, .bytes([4])]
    var taken: [UInt8] = []
    TerminalDevice.drain({ readings.removeFirst() }, { taken += $0 })
    expectNoDifference(taken, [1, 2, 3])
    expectNoDifference(readings.count, 1)
  }

  @Test("Draining ends after 64 KiB, although the terminal has more")
  func limit() {
    var count = 0
    TerminalDevice.drain({ .bytes([UInt8](repeating: 1, count: 4_096)) }, { count += $0.count })
    expectNoDifference(count, 65_536)
  }
}
