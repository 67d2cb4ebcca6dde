import CustomDump
import Foundation
import LifecycleBackgroundWork
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Documentation samples of background fetches run")
@MainActor
struct BackgroundFetchSampleRuns {
  @Test("Handlers answer, and the reports tell")
  func handlersAnswer() async {
    let bus = LifecycleBus(clock: ManualClock())
    let scope = LifecycleScope()
    let result = await fetchedOnce(on: bus, in: scope)
    expectNoDifference(result, .newData)
    withExtendedLifetime((bus, scope)) {}
    expectNoDifference(
      fetchErrors([BackgroundFetchError.deadlineMissed, BackgroundFetchError.ended]),
      ["too slow", "ended before the handler answered"]
    )
    let lines = await fetchedInScope()
    expectNoDifference(
      lines,
      ["fetch 1: newData", "inbox: newData", "news: noData"]
    )
    let names = await fetchedWithRegistrations()
    expectNoDifference(names, [["inbox"], ["news"]])
  }

  @Test("A host is told the interval, and answered")
  func hostIsAnswered() async {
    let operations = await connectedFetchHost()
    expectNoDifference(
      operations,
      [.setMinimumInterval(.seconds(900)), .began(1), .completed(1, .noData)]
    )
  }

  @Test("A scheduler fetches by its interval")
  func schedulerFetchesByItsInterval() throws {
    let directory = TemporaryDirectory()
    let path = directory.path("file")
    expectNoDifference(try scheduledFetches(in: path), 4)
  }

  @Test("A session's handler is called")
  func sessionsHandlerIsCalled() async {
    await withCheckedContinuation { continuation in
      finishedSession("music") { continuation.resume() }
    }
  }
}
