import CustomDump
import Foundation
import JobControl
import LifecycleCore
import LifecycleSystem
import TestSupport
import Testing

extension SystemProcessTests {
  @Suite("Pauses", .serialized)
  struct PauseProcessTests {
    @Test("SIGSTOP and SIGCONT are a pause without a duration, SIGCONT alone is none")
    func stopped() async throws {
      try await withProbeSession { session in
        let probe = try session.launchSystemProbe()
        for _ in 0..<20 {
          try session.signal(SIGCONT, probe.job)
          #expect(try probe.ping().isEmpty)
        }
        for _ in 0..<3 {
          try probe.stopUnseen(for: .milliseconds(50))
          let events = try probe.lines(through: .processWasPaused).events
          expectNoDifference(events.map(\.kind), [.processWasPaused])
          expectNoDifference(events.map(\.pauseCause), [.stopped])
          expectNoDifference(events.map(\.timePaused), [nil])
        }
        #expect(try probe.ping().isEmpty)
      }
    }

    @Test(
      "A SIGCONT after a wake-up of a pressure file without an event is no pause",
      .enabled(if: TestControlGroup.root != nil, "a control group of version 2 can't be created")
    )
    func wakeUpWithoutEvent() async throws {
      try await withProbeSession { session in
        let group = try TestControlGroup(try #require(TestControlGroup.root))
        defer { group.thawAndRemove() }
        let probe = try session.launchSystemProbe(environment: [:], group: group)
        expectNoDifference(probe.availability["memoryPressure"], "available, by the control group")
        var lines: [ProbeLine] = []
        for _ in 0..<5 {
          lines += try probe.ping()
          try probe.waitUntilThreadWaits()
          func waits() -> Int { ThreadStatus.waiting(of: probe.job.processID)?.waits ?? 0 }
          let before = waits()
          try group.addAndRemovePressureTrigger()
          try session.wait(for: "the wake-up, and the next wait") { waits() > before }
          try session.signal(SIGCONT, probe.job)
        }
        lines += try probe.ping()
        // What was reported before is delivered before the end.
        try session.signal(SIGTERM, probe.job)
        #expect(try probe.job.nextStatus().status == .signaled(SIGTERM))
        lines += try probe.remainingLines()
        let kinds = lines.events.map(\.kind)
        #expect(kinds.contains(.willTerminate) && !kinds.contains(.processWasPaused), "\(kinds)")
      }
    }

    @Test(
      "In the topmost control group, which is never frozen, only SIGSTOP is noticed",
      .enabled(if: TestControlGroup.topmost != nil, "no process can be put into the topmost group")
    )
    func topmostGroup() async throws {
      try await withProbeSession { session in
        let group = try #require(TestControlGroup.topmost)
        let probe = try session.launchSystemProbe(group: group)
        expectNoDifference(
          probe.availability["processPauses"],
          "unavailable, because the topmost control group is never frozen, and there is no "
            + "heartbeat"
        )
        try probe.stopUnseen(for: .milliseconds(50))
        let events = try probe.lines(through: .processWasPaused).events
        expectNoDifference(events.map(\.pauseCause), [.stopped])
      }
    }

    @Test(
      """
      SIGSTOP, then SIGCONT, with a heartbeat: paused once, with the time; although the main thread runs \
      the handler of SIGCONT only after the heartbeat that is due
      """
    )
    func stoppedWithHeartbeat() async throws {
      try await withProbeSession { session in
        try untilInTime {
          let probe = try session.launchSystemProbe(
            ["--heartbeat", "200", "--slow-continue", "50"]
          )
          defer { kill(probe.job.processID, SIGKILL) }
          let start = ContinuousClock.now
          let end = try probe.stopUnseen(for: .seconds(1))
          // A busy machine may have held up the process before.
          let pause = try probe.lines { ($0.event?.timePaused ?? .zero) >= .seconds(1) }.events.last
          let elapsed = ContinuousClock.now - start
          let time = try #require(pause?.timePaused)
          #expect(time <= elapsed + .milliseconds(400))
          if pause?.pauseCause == .unknown {
            // The source waits 200 ms for the reason, which must have come after that.
            _ = try probe.lines { $0.event?.pauseCause == .stopped }
            let delay = ContinuousClock.now - end
            if delay >= .milliseconds(200) { throw TooLate("no reason for \(delay)") }
          }
          expectNoDifference(pause?.pauseCause, .stopped)
          session.idle(for: .milliseconds(500))
          let later = try probe.ping().events.filter { $0.pauseCause != .unknown }
          #expect(later.isEmpty)
        }
      }
    }

    @Test("SIGSTOP of a process that takes no signals: with a heartbeat, a pause of unknown cause")
    func stoppedWithoutSignals() async throws {
      try await withProbeSession { session in
        let probe = try session.launchSystemProbe(["--heartbeat", "200", "--unconnected"])
        try probe.stopUnseen(for: .seconds(1))
        // A busy machine may have held up the process before and after that.
        let pauses = try probe.lines { ($0.event?.timePaused ?? .zero) >= .seconds(1) }
        expectNoDifference(Set(pauses.events.map(\.pauseCause)), [.unknown])
        let later = try probe.ping().events.filter { $0.pauseCause != .unknown }
        #expect(later.isEmpty)
      }
    }

    @Test(
      "Ctrl-Z and fg are no pause, with a heartbeat or without",
      arguments: [[], ["--heartbeat", "200"]]
    )
    func controlZ(options: [String]) async throws {
      try await withProbeSession { session in
        let probe = try session.launchSystemProbe(options)
        var lines = try probe.stop()
        session.idle(for: .milliseconds(600))
        lines += try probe.resume()
        session.idle(for: .milliseconds(400))
        lines += try probe.ping()
        #expect(lines.events.map(\.kind).contains(.didEnterBackground))
        let causes = lines.events.filter { $0.kind == .processWasPaused }.map(\.pauseCause)
        // A busy machine may hold up the process for longer than a heartbeat.
        #expect(causes.allSatisfy { !options.isEmpty && $0 == .unknown }, "\(causes)")
      }
    }

    @Test(
      """
      A freeze is one pause, with its time, and no sleep; also in a container, whose group is the \
      topmost one of its namespace
      """,
      .enabled(if: TestControlGroup.root != nil, "a control group of version 2 can't be created")
    )
    func frozen() async throws {
      try await withProbeSession { session in
        let group = try TestControlGroup(try #require(TestControlGroup.root))
        defer { group.thawAndRemove() }
        let mount = TemporaryDirectory()
        defer { withExtendedLifetime(mount) {} }
        let container = [
          "unshare", "--cgroup", "--mount", "sh", "-c",
          "mount -t cgroup2 none \"$0\" && exec \"$@\"", mount.path,
        ]
        let probe = try session.launchSystemProbe(wrapper: container, group: group)
        expectNoDifference(probe.availability["processPauses"], "available, by the control group")
        _ = try probe.ping()
        let start = ContinuousClock.now
        try group.freeze(session)
        session.idle(for: .milliseconds(500))
        try group.write("0", to: "cgroup.freeze")
        var events = try probe.lines(through: .processWasPaused).events
        let elapsed = ContinuousClock.now - start
        session.idle(for: .milliseconds(300))
        events += try probe.ping().events
        expectNoDifference(events.map(\.kind), [.processWasPaused])
        expectNoDifference(events.map(\.pauseCause), [.frozen])
        if let time = events.first?.timePaused {
          #expect(time >= .milliseconds(400) && time <= elapsed)
        }
      }
    }

    @Test(
      "A freeze by a control group of version 1 is of unknown cause, noticed by a heartbeat",
      .enabled(
        if: TestControlGroup.freezerRoot != nil,
        "a control group of version 1 that freezes can't be created"
      )
    )
    func frozenByVersion1() async throws {
      try await withProbeSession { session in
        let group = try TestControlGroup(try #require(TestControlGroup.freezerRoot))
        defer { group.thawAndRemove() }
        let probe = try session.launchSystemProbe(["--heartbeat", "200"], group: group)
        _ = try probe.ping()
        try probe.waitUntilThreadWaits()
        try group.freezeVersion1(session, for: .seconds(1))
        let pauses = try probe.lines { ($0.event?.timePaused ?? .zero) >= .milliseconds(900) }
        expectNoDifference(Set(pauses.events.map(\.pauseCause)), [.unknown])
      }
    }

    @Test(
      """
      A process that moves to another control group was not paused, and a freeze of that group is \
      one pause
      """,
      .enabled(if: TestControlGroup.root != nil, "a control group of version 2 can't be created")
    )
    func changedGroup() async throws {
      try await withProbeSession { session in
        let root = try #require(TestControlGroup.root)
        let groups = [try TestControlGroup(root), try TestControlGroup(root)]
        defer { for group in groups { group.remove() } }
        let probe = try session.launchSystemProbe(group: groups[0])
        _ = try probe.ping()
        try groups[1].write("\(probe.job.processID)", to: "cgroup.procs")
        groups[0].remove()
        let path = "\(groups[1].path)/cgroup.events"
        try session.wait(for: "\(path) among \(probe.openFiles)") { probe.openFiles.contains(path) }
        #expect(try probe.ping().events.isEmpty)
        let start = ContinuousClock.now
        try groups[1].freeze(session)
        session.idle(for: .milliseconds(500))
        try groups[1].write("0", to: "cgroup.freeze")
        let events = try probe.lines(through: .processWasPaused).events
        let elapsed = ContinuousClock.now - start
        expectNoDifference(events.map(\.pauseCause), [.frozen])
        if let time = events.first?.timePaused {
          #expect(time >= .milliseconds(400) && time <= elapsed)
        }
        #expect(try probe.ping().events.isEmpty)
        try session.signal(SIGKILL, probe.job)
        _ = try probe.job.nextStatus()
      }
    }

    @Test(
      "SIGTERM while frozen ends the process after the thaw, with its observers",
      .enabled(if: TestControlGroup.root != nil, "a control group of version 2 can't be created")
    )
    func endWhileFrozen() async throws {
      try await withProbeSession { session in
        let group = try TestControlGroup(try #require(TestControlGroup.root))
        defer { group.thawAndRemove() }
        let probe = try session.launchSystemProbe(group: group)
        _ = try probe.ping()
        try group.freeze(session)
        try session.signal(SIGTERM, probe.job)
        session.idle(for: .milliseconds(300))
        #expect(try probe.availableLines().isEmpty)
        try group.write("0", to: "cgroup.freeze")
        #expect(try probe.job.nextStatus().status == .signaled(SIGTERM))
        #expect(try probe.remainingLines().events.last?.kind == .willTerminate)
      }
    }
  }
}
