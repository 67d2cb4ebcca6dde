/// What is measured: the words and the measures that the report needs for it.
///
/// A new kind of measurement is a new constant here, added to ``all``.
public struct BenchmarkOperation: Hashable, Sendable {
  /// The name in a row's identifier.
  public let name: String
  /// The heading in the report.
  public let title: String
  /// What the size of a row counts.
  public let sizeUnit: String
  /// The sizes that are measured.
  public let sizes: [Int]
  /// What one operation is.
  public let unit: String
  /// What an operation is divided into by the size; nil where that means nothing.
  public let unitPerSize: String?
  /// The name of the plot.
  public let chart: String
  /// The name of the plot of the cost divided by the size.
  public let chartPerSize: String?
  /// From which size the growth is measured: below it, fixed costs prevail.
  public let growthStart: Int

  /// One event sent to some observers.
  public static let send = BenchmarkOperation(
    name: "send",
    title: "Sending to observers",
    sizeUnit: "observers",
    sizes: [1, 10, 100, 1_000, 10_000, 100_000],
    unit: "event",
    unitPerSize: "call",
    chart: "observers",
    chartPerSize: "calls",
    growthStart: 100
  )

  /// One observer added and cancelled beside some others.
  public static let subscribe = BenchmarkOperation(
    name: "subscribe",
    title: "Subscribing and cancelling",
    sizeUnit: "live observers",
    sizes: [10, 1_000, 100_000],
    unit: "subscription",
    unitPerSize: nil,
    chart: "subscribing",
    chartPerSize: nil,
    growthStart: 1
  )

  /// One event sent to ten observers by one of some threads.
  public static let sendFromThreads = BenchmarkOperation(
    name: "send-from-threads",
    title: "Sending from several threads to ten observers",
    sizeUnit: "sending threads",
    sizes: [1, 2, 4, 8],
    unit: "event",
    unitPerSize: nil,
    chart: "threads",
    chartPerSize: nil,
    growthStart: 1
  )

  /// One countdown, or timer, started and cancelled beside some others.
  public static let startCountdown = BenchmarkOperation(
    name: "start-countdown",
    title: "Starting and cancelling a countdown",
    sizeUnit: "running countdowns",
    sizes: [10, 1_000, 100_000],
    unit: "countdown",
    unitPerSize: nil,
    chart: "countdowns",
    chartPerSize: nil,
    growthStart: 1
  )

  /// Countdowns that tick at the same moment, each with a subscriber.
  public static let tick = BenchmarkOperation(
    name: "tick",
    title: "Countdowns that tick at the same moment",
    sizeUnit: "countdowns due",
    sizes: [1, 10, 100, 1_000, 10_000],
    unit: "moment",
    unitPerSize: "tick",
    chart: "moments",
    chartPerSize: "ticks",
    growthStart: 10
  )

  /// One transition recorded so that a loss of power does not lose it.
  public static let record = BenchmarkOperation(
    name: "record",
    title: "Recording a transition durably",
    sizeUnit: "bytes of values kept",
    sizes: [10, 1_000, 3_000],
    unit: "transition",
    unitPerSize: nil,
    chart: "journal",
    chartPerSize: nil,
    growthStart: 1
  )

  /// Every operation, in the order of the report.
  public static let all = [send, subscribe, sendFromThreads, startCountdown, tick, record]
}
