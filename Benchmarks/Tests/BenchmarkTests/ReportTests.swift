import Testing

@testable import BenchmarkSupport
@testable import compare

@Suite("Report")
struct ReportTests {
  @Test("The exponent of a power is found", arguments: [0.0, 1, 2])
  func exponents(exponent: Double) throws {
    let points = [1.0, 10, 1_000].map { size in
      (x: size, y: 3 * (0..<Int(exponent)).reduce(1) { power, _ in power * size })
    }

    let found = try #require(growthExponent(points))
    #expect(abs(found - exponent) < 1e-9)
  }

  @Test("One point has no exponent")
  func onePoint() {
    #expect(growthExponent([(1, 1)]) == nil)
  }

  @Test("A ratio is taken within each round")
  func ratios() throws {
    let ours = RowID("lifecycle-bus", "token", .send, 1)
    let theirs = RowID("closure-loop", "closures", .send, 1)
    let target = Target(name: "", rows: [ours], references: [theirs], limit: 2)
    var measurements = Measurements()
    for (ourCost, theirCost) in [(2.0, 1.0), (30, 10), (1, 1)] {
      measurements.addRound([row(ours, ourCost), row(theirs, theirCost)])
    }

    let spread = try #require(measurements.spread(target.value))
    #expect((spread.min, spread.median, spread.max) == (1, 2, 3))
    #expect(target.isMet(by: spread.median) == true)
  }

  @Test("A target whose row nobody measured is named")
  func missingRow() {
    #expect(throws: CompareError.self) { try Report(Measurements()) }
  }

  @Test("Names beside lines keep their order and their distance")
  func labels() {
    let column = LabelColumn(range: 1...1_000, capacity: 10)
    let heights = column.heights(for: [1, 1, 900, 990, 1_000])

    #expect(heights == heights.sorted())
    #expect(heights.allSatisfy { (1...1_000.001).contains($0) })
    for (lower, upper) in zip(heights, heights.dropFirst()) { #expect(upper / lower > 1.9) }
  }

  @Test("A dark plot differs from the light one in its name and its colours alone")
  func darkPlot() {
    let series = Peer.all.map { peer in
      Series(peer: peer, form: "closures", operation: .send, costs: [(1, 10), (10, 100)])
    }
    let chart = Chart("observers", series, unit: "event")
    let light = chart.script(in: .light)
    let dark = chart.script(in: .dark)

    #expect(light != dark)
    #expect(
      light.replacing(/#[0-9a-f]{6}/, with: "")
        == dark.replacing(/#[0-9a-f]{6}/, with: "").replacing("~dark", with: "")
    )
  }

  private func row(_ id: RowID, _ cost: Double) -> BenchmarkOutput.Row {
    BenchmarkOutput.Row(name: id, median: cost, iterations: 1, operations: 1)
  }
}
