import CustomDump
import Foundation
import JobControl
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleProcess
@testable import LifecycleSystem

extension SystemProcessTests {
  @Suite("The thread on which the sources of the system wait", .serialized)
  struct SystemThreadTests {
    @Test("All sources wait on the thread of the process, which serves its signals, too")
    func allSources() async {
      // In a process of its own: other tests of this one connect sources, too.
      await #expect(processExitsWith: .success) {
        let bus = NonisolatedLifecycleBus(clock: ManualClock())
        let sources: [(any SystemSource, any ProcessWatch.Type)] = [
          (.systemClock(), ClockWatch.self),
          (.processPauses(heartbeat: .seconds(3600)), PauseWatch.self),
          (.memoryPressure(), PressureWatch.self),
        ]
        for (source, watch) in sources {
          // Without what it needs, a source waits for nothing.
          guard case .available = source.availability else { continue }
          let connection = try bus.connect(source)
          let watches = ProcessThread.snapshot.watches
          #expect(!watches.isEmpty, "\(source.name)")
          #expect(watches.allSatisfy { type(of: $0) == watch }, "\(source.name)")
          connection.cancel()
          #expect(ProcessThread.snapshot.watches.isEmpty, "\(source.name)")
        }
      }
    }

    @Test("Availability is that of the moment at which it is read")
    func availabilityNow() async {
      // In a process of its own, because of the environment.
      await #expect(processExitsWith: .success) {
        let source = MemoryPressureSource.memoryPressure()
        setenv("MEMORY_PRESSURE_WATCH", "", 1)
        let before = source.availability
        setenv("MEMORY_PRESSURE_WATCH", "/dev/null", 1)
        #expect(before != source.availability)
        #expect(
          source.availability == .unavailable(because: "MEMORY_PRESSURE_WATCH is /dev/null")
        )
      }
    }

    @Test("Observers of a bus that needs the main thread never run on the thread that waits")
    func mainActorBus() async throws {
      try await withProbeSession { session in
        try session.withPressurePipe(["--bus", "main", "--block-main"]) { probe, pipe in
          try wake(probe, by: pipe)
          #expect(try probe.ping().isEmpty)
        }
      }
    }

    @Test("A late observer of a nonisolated bus does not hold up the thread that waits")
    func nonisolatedBus() async throws {
      try await withProbeSession { session in
        let options = ["--slow", "3600000", "--slow-kind", "didReceiveMemoryWarning"]
        try session.withPressurePipe(options) { probe, pipe in
          for _ in 0..<2 { try wake(probe, by: pipe) }
          // The observer that prints comes after the late one.
          #expect(try probe.ping().isEmpty)
        }
      }
    }

    @Test(
      """
      A source that lacks descriptors is not connected, with the remedy; one that has enough opens \
      all that it uses; and of all sources together, none is connected if one lacks them
      """
    )
    func descriptors() async throws {
      try await withProbeSession { session in
        let attempts = try DescriptorAttempts.run(in: session)
        expectNoDifference(
          Set(attempts.keys),
          ["systemClock", "processPauses", "memoryPressure", "connectSystem"]
        )
        for (source, attempts) in attempts {
          #expect(!attempts.refusals.isEmpty, "\(source)")
          for refusal in attempts.refusals {
            let isRefusal = refusal.contains("Too many open files. Close file descriptors")
            #expect(isRefusal && !refusal.contains("in spite of"), "\(source): \(refusal)")
          }
          expectNoDifference(Set(attempts.opened).count, 1, "\(source) \(attempts.opened)")
          expectNoDifference(attempts.leftOpen, 0, "\(source)")
        }
      }
    }

    /// Writes to the pipe, and waits until the thread has handled that, and waits again.
    private func wake(_ probe: Probe, by pipe: PressurePipe) throws {
      func waits() -> Int { ThreadStatus.waiting(of: probe.job.processID)?.waits ?? 0 }
      try probe.waitUntilThreadWaits()
      let before = waits()
      try pipe.write("x")
      try probe.session.wait(for: "the thread to be woken") { waits() != before }
    }
  }
}
