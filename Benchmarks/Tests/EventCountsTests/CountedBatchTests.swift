import EventCounts
import Testing

@Suite("Batches of runs")
struct CountedBatchTests {
  @Test("Both runs of a scenario share a process, and there are no more than run at once")
  func processes() {
    let batches = CountedBatch.all(
      of: [.liveToken, .event1Closure, .liveSink, .subscribeSink],
      Quantity.allCases,
      width: 2
    )
    #expect(
      batches.map(\.description) == [
        "count-events live-token=8192 live-token=16384 live-sink=8192 live-sink=16384, under dhat",
        "count-events event-1-closure=500 event-1-closure=1000, under callgrind",
        "count-events event-1-closure=500 event-1-closure=1000"
          + " subscribe-sink=2000 subscribe-sink=4000, under dhat",
        "count-events subscribe-sink=2000 subscribe-sink=4000, under callgrind",
      ]
    )
  }

  @Test("The children report in their order, and then the process")
  func reports() throws {
    let batches = CountedBatch.all(of: [.event1Closure], [.instructions], width: 1)
    let batch = try #require(batches.first)
    let log = """
      ==2== Collected : 30
      ==3== Collected : 50
      ==1== Collected : 0
      """
    let totals = batch.totals(in: log)
    #expect(batch.runs.map { totals?[$0] } == [[.instructions: 30], [.instructions: 50]])
  }

  @Test(
    "A report that is missing, or that has found nothing, is a fault",
    arguments: ["==2== Collected : 30", "==2== Collected : 30\n==3== Collected : 0"]
  )
  func missing(log: String) throws {
    let batches = CountedBatch.all(of: [.event1Closure], [.instructions], width: 1)
    let batch = try #require(batches.first)
    #expect(batch.totals(in: log) == nil)
  }

  @Test("A run reads back from its argument", arguments: ["live-token=8192", "launch=1"])
  func argument(text: String) {
    #expect(ScenarioRun(argument: text)?.description == text)
  }

  @Test(
    "What is no run is refused",
    arguments: ["live-token", "live-token=0", "live-token=some", "live-tokens=1", "live-token=1=2"]
  )
  func noRun(text: String) {
    #expect(ScenarioRun(argument: text) == nil)
  }
}
