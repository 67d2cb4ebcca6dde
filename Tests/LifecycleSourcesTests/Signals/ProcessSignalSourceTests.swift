import CustomDump
import Foundation
import LifecycleSupport
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleSources

@Suite("The source of the process's signals")
struct ProcessSignalSourceTests {
  @Test("Observers have five seconds by default, and what is chosen otherwise, none if negative")
  func defaultDeadline() {
    expectNoDifference(ProcessSignalSource.processSignals().deadline, .seconds(5))
    expectNoDifference(
      ProcessSignalSource.processSignals(deadline: .seconds(2)).deadline,
      .seconds(2)
    )
    expectNoDifference(ProcessSignalSource.processSignals(deadline: .seconds(-1)).deadline, .zero)
  }

  @Test("A request to reload can't be job control")
  func reload() {
    let source = ProcessSignalSource.processSignals(taking: .terminate, reload: .all)
    expectNoDifference(source.reload, [.terminate, .interrupt, .hangUp])
    expectNoDifference(source.taken, [.terminate, .interrupt, .hangUp])
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
