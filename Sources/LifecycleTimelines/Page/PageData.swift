/// Writes the records and lanes of a timeline as JSON, as small as the page can have it: each text
/// once, and times and numbers as the distance from the one before.
struct PageData {
  /// The unit of time: a microsecond; a millisecond if a day or more is drawn.
  private let unit: Duration
  private var texts: [String] = [""]
  private var numbers: [String: Int] = ["": 0]
  private var recordCount = 0
  /// The marks that stand for no record, which are numbered after the records.
  private var others: [String] = []

  static func json(_ timeline: LifecycleTimeline) -> String {
    let isLong = timeline.duration >= .seconds(86_400)
    var data = PageData(unit: isLong ? .milliseconds(1) : .microseconds(1))
    return data.json(timeline)
  }

  private init(unit: Duration) {
    self.unit = unit
  }

  private mutating func json(_ timeline: LifecycleTimeline) -> String {
    let styles = LifecycleTimeline.Style.allCases
    let styleNumbers = Dictionary(uniqueKeysWithValues: styles.enumerated().map { ($1, $0) })
    let records = timeline.records
    recordCount = records.count
    var labels = Array(repeating: 0, count: records.count)
    let left = PictureDrawing.left(of: timeline)
    let lanes = timeline.lanes.map { lane in
      for mark in lane.marks where !mark.label.isEmpty {
        if let record = mark.record { labels[record] = number(of: mark.label) }
      }
      return json(lane, PictureDrawing.name(of: lane, left: left), styleNumbers)
    }
    let details = records.map { number(of: $0.detail) }
    let patterns = styles.filter { PictureParts.pattern(over: $0) != nil }
    let unitsPerSecond = Int64(.seconds(1) / unit)
    let wall = timeline.wallClock.steps.map { step in
      let offset = step.offset.map { "\($0.wholeParts(perSecond: unitsPerSecond))" }
      return "[\(units(step.time)),\(offset ?? "null")]"
    }
    let fields = [
      "\"unit\":\(unitsPerSecond)", "\"total\":\(units(timeline.duration))",
      "\"styles\":\(array(styles.map { SafeText.json($0.rawValue) }))",
      "\"patterns\":\(array(patterns.map { SafeText.json($0.rawValue) }))",
      "\"wall\":\(array(wall))", "\"isOneDay\":\(timeline.isOneDay)", "\"left\":\(left)",
      "\"size\":\(PictureSize.shared.json)", "\"steps\":\(TimeAxis.steps)",
      "\"units\":\(array(TimeAxis.units.map { pair($0.length, $0.name) }))",
      "\"letters\":\(array(PictureParts.letters.map { pair($0.value, $0.key) }))",
      "\"ranges\":\(array(PictureParts.ranges.map { "[\($0.last),\($0.width)]" }))",
      "\"lanes\":\(array(lanes))",
      "\"others\":\(array(others))", "\"t\":\(distances(records.map { units($0.time) }))",
      "\"k\":\(list(details))",
      "\"l\":\(list(labels))", "\"s\":\(list(records.map { styleNumbers[$0.style] ?? 0 }))",
      "\"q\":\(sequence(records))", "\"texts\":\(array(texts.map(SafeText.json)))",
    ]
    return "{\(fields.joined(separator: ",\n"))}"
  }

  private mutating func json(
    _ lane: LifecycleTimeline.Lane,
    _ shown: String,
    _ styles: [LifecycleTimeline.Style: Int]
  ) -> String {
    var values: [Int] = []
    var previous = 0
    for span in lane.spans {
      let (start, end) = (units(span.start), units(span.end))
      values += [
        start - previous, end - start, styles[span.style] ?? 0, span.row, number(of: span.label),
        number(of: span.detail), span.level,
      ]
      previous = start
    }
    let marks = lane.marks.map { mark in
      if let record = mark.record { return record }
      let time = units(mark.time)
      others.append("[\(time),\(number(of: mark.detail)),\(styles[mark.style] ?? 0)]")
      return recordCount + others.count - 1
    }
    return """
      {"name":\(SafeText.json(lane.name)),"shown":\(SafeText.json(shown)),\
      "subject":"\(lane.subject.rawValue)",\
      "rows":\(lane.rows),"spans":\(list(values)),"marks":\(distances(marks))}
      """
  }

  private func units(_ time: Duration) -> Int { Int((time / unit).rounded()) }

  private mutating func number(of text: String) -> Int {
    if let number = numbers[text] { return number }
    texts.append(text)
    numbers[text] = texts.count - 1
    return texts.count - 1
  }

  private func array(_ elements: [String]) -> String { "[\(elements.joined(separator: ","))]" }

  private func pair(_ value: Double, _ text: String) -> String {
    "[\(value),\(SafeText.json(text))]"
  }

  private func list(_ values: [Int]) -> String { array(values.map { String($0) }) }

  private func distances(_ values: [Int]) -> String {
    var previous = 0
    return list(
      values.map { value in
        defer { previous = value }
        return value - previous
      }
    )
  }

  /// The numbers of events; null for other records.
  private func sequence(_ records: [LifecycleTimeline.Entry]) -> String {
    var previous = 0
    return array(
      records.map { record in
        guard let number = record.sequenceNumber else { return "null" }
        defer { previous = number }
        return String(number.subtractingReportingOverflow(previous).partialValue)
      }
    )
  }
}
