import JobControl
import TestSupport
import Testing

/// LINUX.md, section 10, rows 29 to 31: a process that owns its terminal, under a shell that does
/// job control.
@Suite("Terminal session on the real system", .serialized, .startsProcesses)
enum TerminalProcessTests {}

let background = [
  "4 willResignActive synthesized", "has terminal: true", "5 didEnterBackground source",
]
let foreground = [
  "6 willEnterForeground synthesized", "has terminal: true", "7 didBecomeActive source",
]
