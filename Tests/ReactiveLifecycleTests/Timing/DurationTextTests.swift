import CustomDump
import ReactiveLifecycle
import Testing

@Suite("Durations as text")
struct DurationTextTests {
  @Test(
    "A duration for people has its two greatest units",
    arguments: [
      (0, "0 µs"), (0.000_25, "250 µs"), (0.001_5, "1.5 ms"), (0.04, "40 ms"), (0.999_9, "1 s"),
      (2.5, "2.5 s"), (9.999, "10 s"), (59.97, "1 min"), (90, "1 min 30 s"), (3_599.6, "1 h"),
      (5_400, "1 h 30 min"), (86_370, "1 d"), (194_400, "2 d 6 h"), (-90, "-1 min 30 s"),
      (1e18, "11574074 d 2 h"),
    ]
  )
  func shortText(_ seconds: Double, _ expected: String) {
    expectNoDifference(Duration.seconds(seconds).shortText, expected)
  }
}
