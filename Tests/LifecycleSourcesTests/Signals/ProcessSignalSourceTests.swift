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

  @Test("An overrun names the observer, or what may block the bus")
  func overrunDescriptions() {
    func text(_ observer: LifecycleObserverLocation?) -> String {
      "\(ProcessSignalSource.Overrun(kind: .willTerminate, deadline: .seconds(5), observer: observer))"
    }
    expectNoDifference(
      text(LifecycleObserverLocation(fileID: "Program/Screen.swift", line: 12)),
      """
      The observer registered at Program/Screen.swift:12 was still running 5.0 seconds after \
      willTerminate was announced, so the process no longer waits for it. Return from the observer \
      sooner, or choose a longer deadline.
      """
    )
    expectNoDifference(
      text(nil),
      """
      The bus had not reached its observers 5.0 seconds after willTerminate was announced, so the \
      process no longer waits for them. Check whether the thread where the bus delivers is blocked.
      """
    )
  }

  @Test("An error at the start names the step, the system's reason and the remedy")
  func startErrorDescriptions() {
    func text(_ step: ProcessSignalSource.StartError.Step, _ errno: CInt) -> String {
      "\(ProcessSignalSource.StartError(step: step, errno: errno))"
    }
    func reason(_ errno: CInt) -> String { String(cString: strerror(errno)) }
    expectNoDifference(
      [
        text(.pipe, EMFILE), text(.handler(signal: "SIGTERM"), EPERM), text(.thread, EAGAIN),
        text(.thread, ENOTSUP), text(.descriptor(of: "/a"), ENFILE),
        text(.descriptor(of: "/a"), ENOMEM),
      ],
      [
        """
        The pipe for the signals of the process can't be opened: \(reason(EMFILE)). Close file \
        descriptors, or raise their limit (ulimit -n).
        """,
        """
        The handler for SIGTERM can't be installed: \(reason(EPERM)). Check that the sandbox or \
        seccomp filter of the process allows sigaction.
        """,
        """
        The thread that handles the signals of the process can't be started: \(reason(EAGAIN)). \
        Raise the limit on threads (ulimit -u, or the container's pids limit).
        """,
        """
        This process is a child by fork of one that had connected, and has none of its threads. \
        Connect after fork() or daemon(), or execute a program in the child.
        """,
        """
        A descriptor of /a can't be opened: \(reason(ENFILE)). Close file descriptors, or raise \
        their limit in the system (sysctl fs.file-max).
        """,
        """
        A descriptor of /a can't be opened: \(reason(ENOMEM)). Release memory, or raise the limit \
        of the container.
        """,
      ]
    )
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
