import JobControl
import TestSupport
import Testing

/// LINUX.md, section 10: what happens to a real process under a shell that does job control.
///
/// One after the other, so that the times that some of them measure mean something.
@Suite("Process signals on the real system", .serialized, .startsProcesses)
enum ProcessTests {}

/// What follows the launch when the process is stopped.
let background = ["4 willResignActive synthesized", "5 didEnterBackground source"]

/// What follows that when it is continued in the foreground.
let foreground = ["6 willEnterForeground synthesized", "7 didBecomeActive source"]

/// What follows the launch when a process in the foreground is ended.
let termination = [
  "4 willResignActive synthesized", "5 didEnterBackground synthesized", "6 willTerminate source",
]

/// What follows the return to the foreground when the process is ended.
let terminationAfterReturn = [
  "8 willResignActive synthesized", "9 didEnterBackground synthesized", "10 willTerminate source",
]
