import CustomDump
import Foundation
import LifecycleCore
import TestSupport
import Testing

@testable import LifecycleProcess

@Suite("The options and errors of ProcessSignalSource")
struct ProcessSignalSourceTests {
  @Test("Observers have five seconds by default, and what is chosen otherwise, none if negative")
  func defaultDeadline() {
    let sources: [ProcessSignalSource] = [
      .processSignals(), .processSignals(deadline: .seconds(2)),
      .processSignals(deadline: .seconds(-1)),
    ]
    expectNoDifference(sources.map(\.deadline), [.seconds(5), .seconds(2), .zero])
  }

  @Test("A request to reload can't be job control")
  func reload() {
    let source = ProcessSignalSource.processSignals(taking: .terminate, reload: .all)
    expectNoDifference(source.reload, [.terminate, .interrupt, .hangUp])
    expectNoDifference(source.taken, [.terminate, .interrupt, .hangUp])
  }

  @Test("An overrun names the observer, or what may block the bus")
  func overrunDescriptions() {
    for (observer, text) in [
      (LifecycleObserverLocation(fileID: "Program/Screen.swift", line: 12), "Screen.swift:12"),
      (nil, "the thread where the bus delivers is blocked"),
    ] {
      let overrun = ProcessSignalSource.Overrun(
        kind: .willTerminate,
        deadline: .seconds(5),
        observer: observer
      )
      #expect("\(overrun)".contains(text) && "\(overrun)".contains("5.0 seconds"), "\(overrun)")
    }
  }

  @Test("An error at the start names the step, the system's reason and the remedy")
  func startErrorDescriptions() {
    for (step, errno, texts) in [
      (.pipe, EMFILE, ["pipe", "ulimit -n"]),
      (.handler(signal: "SIGTERM"), EPERM, ["SIGTERM", "sandbox"]),
      (.thread, EAGAIN, ["thread", "ulimit -u"]),
      (.descriptor(of: "/a"), ENFILE, ["/a", "fs.file-max"]),
      (.descriptor(of: "/a"), ENOMEM, ["/a", "Release memory"]),
    ] as [(ProcessSignalSource.StartError.Step, CInt, [String])] {
      let text = "\(ProcessSignalSource.StartError(step: step, errno: errno))"
      for part in texts + [String(cString: strerror(errno))] {
        #expect(text.contains(part), "\(text)")
      }
    }
    let fork = "\(ProcessSignalSource.StartError(step: .thread, errno: ENOTSUP))"
    #expect(fork.contains("Connect after fork()"))
  }

  @Test("By default, an overrun is an issue that names the file and line of the observer")
  func defaultReport() {
    let overrun = ProcessSignalSource.Overrun(
      kind: .willTerminate,
      deadline: .seconds(5),
      observer: LifecycleObserverLocation(fileID: "Program/Screen.swift", line: 12)
    )
    expectReportedIssue("Program/Screen.swift:12") {
      ProcessSignalSource.processSignals().onOverrun(overrun)
    }
  }
}
