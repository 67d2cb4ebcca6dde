import BenchmarkSupport
import Foundation

/// The report in words, tables and plots.
struct Report {
  private let measurements: Measurements
  private let targets: [(target: Target, spread: Spread)]
  private let sections: [[Series]]

  /// Compares the measurements with the targets.
  init(_ measurements: Measurements) throws(CompareError) {
    self.measurements = measurements
    var targets: [(Target, Spread)] = []
    for target in Target.all {
      let needed = target.rows + target.references
      if let row = needed.first(where: { measurements.cost(of: $0) == nil }) {
        throw .rowMissing("\(row)", target: target.name)
      }
      targets.append((target, measurements.spread(target.value)!))
    }
    self.targets = targets
    sections = BenchmarkOperation.all.map(measurements.series).filter { !$0.isEmpty }
  }

  /// A plot for each operation, and another of its cost divided by the size where that means
  /// something.
  var charts: [Chart] {
    sections.flatMap { series in
      let operation = series[0].operation
      var charts = [Chart(operation.chart, series, unit: operation.unit)]
      if let name = operation.chartPerSize, let unit = operation.unitPerSize {
        charts.append(Chart(name, series.map(\.dividedBySize), unit: unit))
      }
      return charts
    }
  }

  /// The words and the tables.
  var markdown: String {
    """
    # Comparison

    Rounds: \(measurements.rounds.count); \(ProcessInfo.processInfo.activeProcessorCount) cores; \
    \(ProcessInfo.processInfo.operatingSystemVersionString). A cost is the median over the rounds of \
    the median over a round's iterations. A ratio is taken within each round; its median is given, \
    and the least and the greatest.

    ## Targets

    \(targetTable)

    \(sections.map(section).joined(separator: "\n\n"))

    """
  }

  private var targetTable: String {
    Table(
      heading: ["target", "reached", "least – greatest", "limit", "met"],
      rows: targets.map { target, spread in
        [
          target.name,
          decimal(spread.median) + target.unit,
          "\(decimal(spread.min)) – \(decimal(spread.max))",
          target.limit.map { "≤ \(decimal($0))\(target.unit)" } ?? "–",
          target.isMet(by: spread.median).map { $0 ? "yes" : "**no**" } ?? "–",
        ]
      }
    ).markdown
  }

  private func section(_ series: [Series]) -> String {
    let operation = series[0].operation
    var parts = [
      """
      ## \(operation.title)

      Nanoseconds per \(operation.unit), by the number of \(operation.sizeUnit). The exponent is the \
      slope of log(cost) over log(\(operation.sizeUnit)), from \(operation.growthStart) on: 1 is \
      linear growth, 0 none. "–" was not measured.

      \(picture(operation.chart, operation.title))

      \(table(series, withExponent: true))
      """
    ]
    if let unit = operation.unitPerSize, let chart = operation.chartPerSize {
      parts.append(
        """
        Nanoseconds per \(unit):

        \(picture(chart, "Nanoseconds per \(unit)"))

        \(table(series.map(\.dividedBySize), withExponent: false))
        """
      )
    }
    return parts.joined(separator: "\n\n")
  }

  /// A plot, as GitHub shows it in light and dark.
  private func picture(_ chart: String, _ text: String) -> String {
    """
    <picture>
      <source media="(prefers-color-scheme: dark)" srcset="\(chart)\(Appearance.dark.suffix).svg">
      <img alt="\(text)" src="\(chart).svg">
    </picture>
    """
  }

  private func table(_ series: [Series], withExponent: Bool) -> String {
    let sizes = Set(series.flatMap { $0.costs.map(\.size) }).sorted()
    return Table(
      heading: ["form"] + sizes.map { $0.grouped } + (withExponent ? ["exponent"] : []),
      rows: series.map { series in
        [series.name] + sizes.map { size in series.cost(at: size).map(cost) ?? "–" }
          + (withExponent ? [series.exponent.map(decimal) ?? "–"] : [])
      }
    ).markdown
  }

  private func decimal(_ value: Double) -> String {
    String(format: "%.2f", value)
  }

  private func cost(_ nanoseconds: Double) -> String {
    nanoseconds < 100
      ? String(format: "%.1f", nanoseconds) : Int(nanoseconds.rounded()).grouped
  }
}

/// A table in Markdown. The first column is text, the others are numbers.
struct Table {
  /// The columns' names.
  let heading: [String]
  /// The cells, row by row.
  let rows: [[String]]

  /// The table's text.
  var markdown: String {
    let rule = ["---"] + heading.dropFirst().map { _ in "---:" }
    return ([heading, rule] + rows)
      .map { "| " + $0.joined(separator: " | ") + " |" }
      .joined(separator: "\n")
  }
}

/// The folder that the report is written to.
struct ReportFolder {
  private let url: URL

  /// Makes the folder if there is none.
  init(_ url: URL) throws(CompareError) {
    self.url = url
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw .notWritable(url.path, reason: error.localizedDescription)
    }
  }

  /// Writes a file, over an earlier one.
  func write(_ text: String, to name: String) throws(CompareError) {
    let file = url.appending(path: name)
    do {
      try Data(text.utf8).write(to: file)
    } catch {
      throw .notWritable(file.path, reason: error.localizedDescription)
    }
  }
}
