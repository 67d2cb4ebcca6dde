import CustomDump
import Foundation
import LifecycleProcess
import TestSupport
import Testing

extension ProcessTests {
  /// A program whose `main` ends with its bus, and prints to a pipe.
  @Suite("The end of main while a signal ends the process", .serialized)
  struct EndingTests {
    @Test("A thread that waits for standard input does not keep output from the pipe")
    func printedTextReachesPipeBesideReader() throws {
      let end = try endInTime(["--waits", "--obstacle", "input"], by: SIGTERM)
      expectNoDifference(end.output, ["printed"])
      expectNoDifference(end.signal, SIGTERM)
    }

    @Test("The lock of standard output, held by another thread, does not hang the end")
    func heldLockDoesNotHangTheEnd() throws {
      let end = try Probe(["--waits", "--obstacle", "lock"]).end(by: SIGTERM)
      expectNoDifference(end.output, [])
      expectNoDifference(end.signal, SIGTERM)
    }

    @Test("A full pipe, whose reader does not read, delays the end by half a second")
    func fullPipeDoesNotHangTheEnd() throws {
      let probe = try Probe(["--waits", "--obstacle", "fullPipe"])
      let start = ContinuousClock.now
      #expect(try probe.endUnread(by: SIGTERM) == SIGTERM)
      #expect(ContinuousClock.now - start >= .milliseconds(500))
      expectNoDifference(probe.child.remainingLines(), [], "what is printed is lost")
    }

    @Test(
      """
      Late observers, a report, an expiration handler and a full pipe delay the end by 1.2 seconds \
      beyond the time of observers and tasks
      """
    )
    func everythingThatMayDelayTheEnd() throws {
      try untilInTime {
        let probe = try Probe(["--obstacle", "fullPipe", "--blocked", "100"])
        let start = ContinuousClock.now
        #expect(try probe.endUnread(by: SIGTERM) == SIGTERM)
        let delay = ContinuousClock.now - start - .milliseconds(100)
        let lines = probe.child.remainingLines()
        if lines.contains("printed") { throw TooLate("the pipe was not full in time") }
        #expect(delay >= .milliseconds(1_200))
        if delay >= .milliseconds(2_000) { throw TooLate("the end was delayed by \(delay)") }
      }
    }

    @Test("Of two streams, standard output alone is written out before the signal")
    func otherStreamsAreLost() throws {
      let directory = TemporaryDirectory()
      let file = directory.path("file")
      let end = try endInTime(["--waits", "--file", file], by: SIGTERM)
      expectNoDifference(end.output, ["printed"])
      #expect(directory.names == ["file"] && directory.bytes("file").isEmpty)
      // With exit(3), it is written out.
      let exit = try Probe(["--exits", "--file", file]).end(by: SIGTERM)
      expectNoDifference(exit.exit, 3, "a program may call it in an observer")
      expectNoDifference(exit.output, ["printed"])
      expectNoDifference(directory.bytes("file"), Array("written".utf8))
    }

    @Test(
      "A process whose pipe has no reader runs its observers, and ends by its signal"
    )
    func goneReaderCutsNoObserverOff() throws {
      for options in [[], ["--flushes"]] {
        let directory = TemporaryDirectory()
        let probe = try Probe(["--waits", "--file", directory.path("file")] + options)
        probe.child.closeOutput()
        #expect(try probe.endUnread(by: SIGINT) == SIGINT)
        let written = options.isEmpty ? "" : "written"
        expectNoDifference(directory.bytes("file"), Array(written.utf8), "\(options)")
      }
    }

    @Test("An observer that calls exit ends the process at once, also on another thread")
    func exitOnDeliveringThread() throws {
      let end = try Probe(["--exits-on-thread"]).end(by: SIGTERM)
      expectNoDifference(end.exit, 3)
    }

    @Test("A pipe without a reader ends the process by SIGPIPE, unless a signal follows at once")
    func goneReaderDoesNotOvertakeSignal() throws {
      try untilInTime {
        let probe = try Probe(["--waits", "--prints"])
        let start = ContinuousClock.now
        probe.child.closeOutput()
        _ = kill(probe.child.processID, SIGINT)
        let delay = ContinuousClock.now - start
        let status = probe.child.wait()
        if status == SIGPIPE, delay >= .milliseconds(20) { throw TooLate("\(delay)") }
        expectNoDifference(status, SIGINT)
      }
      let probe = try Probe(["--waits", "--prints"])
      probe.child.closeOutput()
      expectNoDifference(probe.child.wait(), SIGPIPE)
    }

    @Test(
      """
      Observers of other buses finish while main waits, even if its task is cancelled, and if it exits
      """,
      arguments: [["--waits", "--cancels"], [], ["--exits-on-main"]]
    )
    func othersFinish(options: [String]) throws {
      // The other observer keeps the signal from ending the process before main could return.
      let end = try endInTime(options + ["--slow", "200"], by: SIGTERM)
      expectNoDifference(end.output, ["other", "printed"])
      expectNoDifference(end.signal, SIGTERM)
    }

    @Test("Waiting returns at once if another party ends the process, or no signal ended the bus")
    func waitingReturns() throws {
      let observing = try Probe(["--waits", "--termination", "observe"]).end(by: SIGTERM)
      expectNoDifference(observing.exit, 0)
      #expect(observing.output.contains("printed"), "exit(3) writes it out")
      expectNoDifference(try Probe(["--waits", "--sends"]).end(by: nil).exit, 0)
    }

    @Test("Waiting returns at once if nothing is connected")
    func waitingReturnsIfNothingIsConnected() async {
      await ProcessSignalSource.waitForEnd()
    }

    /// Ends a probe that prints; the output may delay its end by half a second, and the machine may be
    /// too busy for that.
    private func endInTime(_ options: [String], by signal: CInt) throws -> Probe.End {
      var found: Probe.End?
      try untilInTime {
        let end = try Probe(options).end(by: signal)
        let isLate = end.elapsed >= .milliseconds(500)
        if !end.output.contains("printed"), isLate { throw TooLate(end) }
        found = end
      }
      return try #require(found)
    }
  }
}

/// A running `lifecycle-probe ending`.
private struct Probe {
  struct End {
    var output: [String]
    var status: CInt
    /// The time from before the signal until after the end.
    var elapsed: Duration

    var signal: CInt? { status & 0x7f == 0 ? nil : status & 0x7f }
    var exit: CInt? { status & 0x7f == 0 ? status >> 8 : nil }
  }

  let child: PipedChild

  init(_ options: [String]) throws {
    child = try PipedChild([builtProgramPath("lifecycle-probe"), "ending"] + options)
    try #require(child.nextLine() == "ready")
  }

  func end(by signal: CInt?) throws -> End {
    let start = ContinuousClock.now
    if let signal { try #require(kill(child.processID, signal) == 0) }
    let output = child.remainingLines()
    let status = child.wait()
    return End(output: output, status: status, elapsed: ContinuousClock.now - start)
  }

  /// Ends it, and reads nothing. Returns the signal that has ended it.
  func endUnread(by signal: CInt) throws -> CInt? {
    let start = ContinuousClock.now
    try #require(kill(child.processID, signal) == 0)
    let status = child.wait()
    return End(output: [], status: status, elapsed: ContinuousClock.now - start).signal
  }
}
