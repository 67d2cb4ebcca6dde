import CustomDump
import Foundation
import LifecycleCore
import LifecycleSupport
import TestSupport
import Testing

@testable import LifecycleSystem

@Suite("Texts that the sources of the system read and write")
struct SystemTextTests {
  @Test("A duration in metadata is parsed as it was written")
  func durations() {
    let durations: [Duration] = [
      .zero, .seconds(5), .milliseconds(-250), .nanoseconds(5_734_000_001), .seconds(-7_200),
      Duration(secondsComponent: 0, attosecondsComponent: 1),
    ]
    for duration in durations { expectNoDifference(Duration(seconds: duration.text), duration) }
    for text in ["", "s", "1", " s", "- s", "1.x s", "1.0000000000000000001 s", "٣ s", "1e3 s"] {
      expectNoDifference(Duration(seconds: text), nil, "\(text)")
    }
  }

  @Test("Metadata of the sources has typed accessors, which are nil for other values")
  func metadata() {
    func event(_ metadata: [String: String]) -> LifecycleEvent {
      LifecycleEvent(
        kind: .systemDidWake,
        previousPhase: .active,
        phase: .active,
        sequenceNumber: 1,
        instant: SystemLifecycleClock().now,
        origin: .manual,
        metadata: metadata
      )
    }
    expectNoDifference(event(["timeAsleep": "5.5 s"]).timeAsleep, .milliseconds(5_500))
    expectNoDifference(event(["clockShift": "-0.2 s"]).clockShift, .milliseconds(-200))
    expectNoDifference(event(["timePaused": "1 s"]).timePaused, .seconds(1))
    expectNoDifference(event(["pauseCause": "frozen"]).pauseCause, .frozen)
    expectNoDifference(event(["memoryPressure": "critical"]).memoryPressure, .critical)
    let none = event(["memoryPressure": "much", "pauseCause": "", "timeAsleep": "long"])
    #expect(none.memoryPressure == nil && none.pauseCause == nil && none.timeAsleep == nil)
    #expect(none.clockShift == nil && event(["clockShift": "back"]).clockShift == nil)
  }

  @Test("A heartbeat is at least 10 ms long, and makes pauses noticeable everywhere")
  func heartbeat() {
    func source(_ heartbeat: Duration?) -> ProcessPauseSource {
      .processPauses(heartbeat: heartbeat)
    }
    expectNoDifference(source(nil).heartbeat, nil)
    expectNoDifference(source(.zero).heartbeat, .milliseconds(10))
    expectNoDifference(source(.milliseconds(11)).heartbeat, .milliseconds(11))
    let availability = source(.seconds(1)).availability.description
    #expect(availability.hasPrefix("available, by "), "\(availability)")
    #expect(availability.contains("a heartbeat of 1.0 seconds"), "\(availability)")
  }

  @Test("The control group is found where it is mounted")
  func controlGroup() {
    func group(_ path: String, _ mounts: String...) -> ControlGroup? {
      ControlGroup(groups: "4:memory:/a\n0::\(path)\n", mounts: mounts.joined(separator: "\n"))
    }
    let v1 = "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu"
    let hybrid = "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw"
    let unified = "41 31 0:38 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup rw,nsdelegate"
    let container = "41 31 0:38 /box/1 /sys/fs/cgroup ro - cgroup2 cgroup rw"
    expectNoDifference(group("/", v1, hybrid)?.folder, "/sys/fs/cgroup/unified")
    expectNoDifference(group("/a/b", v1, hybrid)?.folder, "/sys/fs/cgroup/unified/a/b")
    expectNoDifference(group("/user.slice", unified)?.folder, "/sys/fs/cgroup/user.slice")
    expectNoDifference(group("/box/1", container)?.folder, "/sys/fs/cgroup")
    expectNoDifference(group("/box/1/x", container)?.folder, "/sys/fs/cgroup/x")
    expectNoDifference(group("/box/10", container), nil)
    expectNoDifference(group("/a", v1), nil)
    expectNoDifference(ControlGroup(groups: "4:memory:/a\n", mounts: hybrid), nil)
  }

  @Test("The control group is found by names that the kernel escapes in its list of mounts")
  func escapedControlGroup() {
    func folder(_ path: String, root: String, at mountPoint: String) -> String? {
      let mount = "41 31 0:38 \(root) \(mountPoint) rw shared:9 - cgroup2 cgroup rw"
      return ControlGroup(groups: "0::\(path)\n", mounts: mount)?.folder
    }
    expectNoDifference(folder("/my box/1", root: #"/my\040box"#, at: "/cgroup"), "/cgroup/1")
    expectNoDifference(folder("/a\tb\\c", root: #"/a\011b\134c"#, at: "/cgroup"), "/cgroup")
    expectNoDifference(folder(#"/a\040b"#, root: #"/a\134040b"#, at: "/cgroup"), "/cgroup")
    expectNoDifference(folder("/a", root: "/", at: #"/m\011y\012c\040g\134"#), "/m\ty\nc g\\/a")
    // No escapes of the kernel.
    #expect(folder("/", root: "/", at: #"/a\4\999\"#) == #"/a\4\999\"#)
    // Without a look at characters, which may reach over a blank or a slash.
    expectNoDifference(folder("/\u{301}/b", root: "/", at: "/cgroup"), "/cgroup/\u{301}/b")
    expectNoDifference(folder("/b", root: "/", at: "/a\\040\u{301}"), "/a \u{301}/b")
  }

  @Test("The service manager's choice comes first, then the control group, then the system")
  func plan() {
    func paths(_ plan: PressurePlan) -> [String]? {
      if case .interfaces(let places) = plan { places.map(\.path) } else { nil }
    }
    let all = PressurePlan(watch: "/run/x", write: "c29tZSAyMDAwMDAgMjAwMDAwMAA=", group: "/g")
    expectNoDifference(paths(all), ["/run/x", "/g/memory.pressure", "/proc/pressure/memory"])
    guard case .interfaces(let places) = all else { return }
    expectNoDifference(places[0].triggers.map(\.bytes), [Array("some 200000 2000000\0".utf8)])
    expectNoDifference(places[0].triggers.map(\.level), [.medium])
    expectNoDifference(places[1].triggers.map(\.level), [.low, .medium, .critical])
    expectNoDifference(
      places[1].triggers.map { String(decoding: $0.bytes, as: UTF8.self) },
      ["some 70000 2000000\0", "some 100000 2000000\0", "full 100000 2000000\0"]
    )
    expectNoDifference(PressurePlan(watch: "/dev/null", write: "eA==", group: "/g"), .disabled)
    expectNoDifference(
      paths(PressurePlan(watch: nil, write: nil, group: nil)),
      ["/proc/pressure/memory"]
    )
    expectNoDifference(PressureTrigger(chosen: Array("full 1 2\0".utf8)).level, .critical)
    expectNoDifference(PressureTrigger(chosen: Array("some 5000 2000000\0".utf8)).level, .low)
    expectNoDifference(PressureTrigger(chosen: []).level, .medium)
  }
}

@Suite("Files of the kernel")
struct KernelFileTests {
  @Test(
    "The text of a file is read to its end, or up to 64 KiB",
    arguments: [0, 5, 65_536, 70_000]
  )
  func text(count: Int) throws {
    let directory = TemporaryDirectory()
    let path = directory.path("file")
    try Data(repeating: UInt8(ascii: "a"), count: count).write(to: URL(filePath: path))
    expectNoDifference(KernelFile.text(at: path)?.utf8.count, min(count, 65_536))
  }

  @Test(
    "A file that can't be opened or read has no text",
    arguments: ["/proc/self/missing", "/proc/self"]
  )
  func unreadable(path: String) {
    expectNoDifference(KernelFile.text(at: path), nil)
  }
}
