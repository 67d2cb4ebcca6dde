import CustomDump
import Foundation
import TestSupport
import Testing

@Suite("Documentation samples of the journal run")
struct JournalSampleRuns {
  /// Calls the body with a program whose journal is at a path that is removed afterwards.
  private func withSample(_ body: (JournalSample) throws -> Void) throws {
    let directory = TemporaryDirectory()
    try body(JournalSample(path: directory.path("state")))
  }

  @Test("A report is offered after a crash, and not after a proper end")
  func reportIsOfferedAfterCrash() throws {
    try withSample { sample in
      expectNoDifference(try sample.offersReport(isEnded: false), false)
      expectNoDifference(try sample.offersReport(isEnded: true), true)
      expectNoDifference(try sample.offersReport(isEnded: false), false)
    }
  }

  @Test("With a heartbeat the time away counts from the last beat")
  func timeAwayCountsFromLastHeartbeat() throws {
    try withSample { sample in
      expectNoDifference(try sample.previousRun(), "The last run: firstLaunch, 0.0 seconds ago")
      expectNoDifference(
        try sample.previousRun(),
        "The last run: killedInBackground, 10.0 seconds ago"
      )
    }
  }

  @Test("A value that was set can be read")
  func valueIsReadBack() throws {
    try withSample { sample in expectNoDifference(try sample.deadline(), 60) }
  }

  @Test("A draft that was saved in the background is restored by the next launch")
  @MainActor
  func draftIsRestored() throws {
    try withSample { sample in
      expectNoDifference(try sample.savedDraft(), "")
      expectNoDifference(try sample.savedDraft(), "Dear ")
      expectNoDifference(try sample.savedDraft(), "Dear Dear ")
    }
  }
}
