import BenchmarkSupport
import Foundation

/// A plot on two logarithmic axes, a line for each series, with its name at its end.
struct Chart {
  private let name: String
  private let series: [Series]
  private let unit: String

  /// - Parameters:
  ///   - name: The name of the file without its extension.
  ///   - series: The lines; what has a single point is left out.
  ///   - unit: What the costs are the costs of.
  init(_ name: String, _ series: [Series], unit: String) {
    self.name = name
    self.series = series.filter { $0.costs.count > 1 }
    self.unit = unit
  }

  /// The name of its files without the extension.
  func name(in appearance: Appearance) -> String { name + appearance.suffix }

  /// A gnuplot script that stands alone: the values, then the fixed part.
  func script(in appearance: Appearance) -> String {
    let operation = series[0].operation
    let ticks = sizes.map { "\"\($0.grouped)\" \($0)" }.joined(separator: ", ")
    return """
      file = "\(name(in: appearance)).svg"
      paper = "\(appearance.text(appearance.paper))"
      ink = "\(appearance.text(appearance.ink))"
      faint = "\(appearance.text(appearance.grid))"
      name = "\(operation.title)"
      sizes = "\(operation.sizeUnit)"
      unit = "per \(unit)"
      low = \(range.lowerBound)
      high = \(range.upperBound)
      set xrange [\(sizes[0]) * 0.98 : \(sizes[sizes.count - 1]) * 1.02]
      set xtics (\(ticks))
      colours = "\(series.indices.map { colour(of: $0, in: appearance) }.joined(separator: " "))"
      widths = "\(series.map { $0.peer.isOurs ? "2.6" : "1.3" }.joined(separator: " "))"
      $costs << EOD
      \(blocks)
      EOD
      \(labels(in: appearance))

      """ + String(decoding: PackageResources.chart_gp, as: UTF8.self)
  }

  private var sizes: [Int] { Set(series.flatMap { $0.costs.map(\.size) }).sorted() }

  private var blocks: String {
    series
      .map { $0.costs.map { "\($0.size) \($0.cost)" }.joined(separator: "\n") }
      .joined(separator: "\n\n\n")
  }

  private var range: ClosedRange<Double> {
    let costs = series.flatMap { $0.costs.map(\.cost) }
    return costs.min()! / 1.4...costs.max()! * 1.4
  }

  /// A peer's hue; paler from form to form, so that neighbours can be told apart.
  private func colour(of index: Int, in appearance: Appearance) -> String {
    let peer = series[index].peer
    let forms = series.indices.filter { series[$0].peer.name == peer.name }
    let position = Double(forms.firstIndex(of: index)!) / Double(max(1, forms.count))
    return appearance.text(
      appearance.colour(of: peer),
      paleness: appearance.greatestPaleness * position
    )
  }

  /// The names, in the order of the lines' ends, each led to by a thin line.
  private func labels(in appearance: Appearance) -> String {
    let ends = series.indices
      .map { (index: $0, target: series[$0].cost(extrapolatedTo: sizes[sizes.count - 1])) }
      .sorted { $0.target < $1.target }
    let heights = LabelColumn(range: range).heights(for: ends.map(\.target))
    return zip(ends, heights).map { line, height in
      let end = series[line.index].costs.last!
      let colour = colour(of: line.index, in: appearance)
      let series = series[line.index]
      let text = series.peer.isOurs ? "{/:Bold \(series.name)}" : series.name
      return """
        set label "\(text)" at graph 1.06, first \(height) textcolor rgb "\(colour)"
        set arrow from first \(end.size), first \(end.cost) \
        to graph 1.05, first \(height) nohead lc rgb "\(colour)" lw 0.5
        """
    }.joined(separator: "\n")
  }
}

/// Places names beside the ends of lines, so that none covers another.
struct LabelColumn {
  /// What the axis shows; it is logarithmic.
  let range: ClosedRange<Double>
  /// How many names fit one above another.
  var capacity = 30.0

  /// Where the names of the lines go that end at these values, which are in ascending order.
  func heights(for values: [Double]) -> [Double] {
    let gap = log(range.upperBound / range.lowerBound) / capacity
    var heights = values.map { log($0) }
    for index in heights.indices.dropFirst() {
      heights[index] = max(heights[index], heights[index - 1] + gap)
    }
    // What was pushed off the top goes back down, and pushes in turn.
    var ceiling = log(range.upperBound)
    for index in heights.indices.reversed() {
      heights[index] = min(heights[index], ceiling)
      ceiling = heights[index] - gap
    }
    return heights.map { exp($0) }
  }
}
