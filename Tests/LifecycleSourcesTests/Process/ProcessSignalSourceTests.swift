import LifecycleSupport
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleSources

@Suite("The source of the process's signals")
struct ProcessSignalSourceTests {
  @Test("Observers have five seconds by default, and what is chosen otherwise, none if negative")
  func defaultDeadline() {
    #expect(ProcessSignalSource.processSignals().deadline == .seconds(5))
    #expect(ProcessSignalSource.processSignals(deadline: .seconds(2)).deadline == .seconds(2))
    #expect(ProcessSignalSource.processSignals(deadline: .seconds(-1)).deadline == .zero)
  }

  @Test("The deadline is an instant of a clock that stops while the machine sleeps")
  func deadlineWhileAsleep() {
    let end = SignalAnnouncement(
      .termination,
      signal: .terminate,
      moment: .now,
      timeout: .seconds(5)
    )
    let deadline: SuspendingClock.Instant? = end.deadline
    #expect(deadline == end.begun + .seconds(5))
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
