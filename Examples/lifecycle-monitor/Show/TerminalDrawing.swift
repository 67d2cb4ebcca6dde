import LifecycleFlightRecording
import LifecycleTimelines
import ReactiveLifecycle

extension LifecycleTimeline {
  /// Returns the timeline as text for a terminal, such as:
  ///
  /// ```text
  /// rental · 2 min 10 s · 1 run · 9 records
  /// 2026-01-15 09:26:40 – 09:28:50 UTC
  ///
  /// Process        rental 4711─────────────────────────■
  /// Phase          █████████████░░░░░░░░░░░░░░░████████
  /// Events         3            2              2
  /// In background               ═════ 45 s ═════
  ///                ├─────────┴─────────┴────────┴──────
  ///                0         30 s      1 min    1 min 30 s
  /// ```
  ///
  /// No line is longer than the width. With less than 40 columns, the name of a lane stands above
  /// it. What happened in the time of one column is drawn as one character: that of the phase that
  /// lasted longest, the number of marks, `#` for ten or more, or `X` if one of several inputs is
  /// suppressed. The reason of a suppressed input stands beside it or below, where there is room.
  /// Control characters in names are written as numbers.
  ///
  /// - Parameters:
  ///   - columns: The width of the terminal, from 1 to 300; other widths are taken as the nearest
  ///     of these.
  ///   - usesColor: Whether to use colors. Without them the characters alone tell the forms in a
  ///     lane apart.
  /// - Complexity: O(*n*) in the number of records.
  func text(columns: Int, usesColor: Bool) -> String {
    TerminalDrawing(self, columns: min(max(columns, 1), 300), usesColor: usesColor).text
  }

  /// Returns one line for a record, for a list that grows as records are made:
  ///
  /// ```text
  ///   +90.250 ▲ willEnterForeground (background → inactive, away 90 s, from signals)
  /// ```
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - start: The instant that the time in the line begins at.
  ///   - sources: The names of the sources by their numbers.
  ///   - columns: The width of the terminal, after which the line is cut off; nil to write all of it.
  ///   - usesColor: Whether to use colors.
  static func line(
    for record: FlightRecord,
    since start: LifecycleInstant,
    sources: [Int: LifecycleSourceName] = [:],
    columns: Int? = nil,
    usesColor: Bool = false
  ) -> String {
    let elapsed = TimeText.elapsed(record.instant.continuous - start.continuous)
    let padding = String(repeating: " ", count: max(10 - elapsed.count, 0))
    let style = TerminalStyle(Style(of: record.content))
    let detail = RecordText.detail(of: record.content) { id in
      id == 0 ? "program" : sources[id]?.rawValue ?? "source \(id)"
    }
    let head = padding + elapsed
    let room = columns.map { max($0 - head.count - 3, 0) } ?? .max
    if room == 0 { return SafeText.fitted(head, columns: columns ?? .max) }
    let symbol = style.text(usesColor: usesColor)
    return "\(head) \(symbol) \(SafeText.fitted(detail, columns: room))"
  }
}

/// Draws a timeline with characters.
private struct TerminalDrawing {
  private let timeline: LifecycleTimeline
  private let columns: Int
  private let usesColor: Bool
  /// The columns left of the time, with the names of the lanes; 0 if these have their own lines.
  private let gutter: Int

  init(_ timeline: LifecycleTimeline, columns: Int, usesColor: Bool) {
    self.timeline = timeline
    self.columns = columns
    self.usesColor = usesColor
    let longest = timeline.lanes.map { SafeText.columns(SafeText.visible($0.name)) }.max() ?? 0
    gutter = columns < 40 ? 0 : min(max(longest, 8), columns / 4, 24) + 2
  }

  var text: String {
    let summary = ([timeline.title] + timeline.facts).joined(separator: " · ")
    let heading = ([summary] + [timeline.dates].compactMap(\.self))
      .map { SafeText.fitted($0, columns: columns) }
    let body = timeline.lanes.flatMap(rows) + axis
    return (heading + [""] + body + (legend.isEmpty ? [] : [""] + legend)).joined(separator: "\n")
  }

  private var room: Int { columns - gutter }

  private func column(of time: Duration) -> Int {
    guard timeline.duration > .zero else { return 0 }
    let share = time / timeline.duration
    return min(max(Int(share * Double(room)), 0), room - 1)
  }

  private func lines(_ name: String, _ row: TerminalRow) -> [String] {
    let drawn = row.text(usesColor: usesColor)
    guard gutter > 0 else {
      return [SafeText.fitted(name, columns: columns), drawn].filter { !$0.isEmpty }
    }
    let name = SafeText.fitted(name, columns: gutter - 2)
    let padding = String(repeating: " ", count: max(gutter - SafeText.columns(name), 0))
    return [drawn.isEmpty ? name : name + padding + drawn]
  }

  // MARK: Lanes

  private func rows(of lane: LifecycleTimeline.Lane) -> [String] {
    var rows = Array(repeating: TerminalRow(columns: room), count: lane.rows)
    switch lane.subject {
    case .phase: fillPhases(of: lane, in: &rows[0])
    case .observers: fillLevels(of: lane, in: &rows[0])
    default: fillSpans(of: lane, in: &rows)
    }
    let rest = fillMarks(of: lane, in: &rows[0])
    if !rest.isEmpty { rows.append(reasons(rest)) }
    return rows.enumerated().flatMap { lines($0.offset == 0 ? lane.name : "", $0.element) }
  }

  /// Draws the phase that lasted longest in each column.
  private func fillPhases(of lane: LifecycleTimeline.Lane, in row: inout TerminalRow) {
    var longest = Array(repeating: (time: Duration.zero, style: nil as TerminalStyle?), count: room)
    var column = 0
    var sums: [LifecycleTimeline.Style: Duration] = [:]
    func finishColumn() {
      if let most = sums.max(by: { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }) {
        longest[column] = (most.value, TerminalStyle(most.key))
      }
      sums = [:]
    }
    for span in lane.spans {
      for place in self.column(of: span.start)...self.column(of: span.end) {
        if place != column {
          finishColumn()
          column = place
        }
        let width = timeline.duration / room
        let (from, to) = (max(span.start, width * place), min(span.end, width * (place + 1)))
        if to > from { sums[span.style, default: .zero] += to - from }
      }
    }
    finishColumn()
    for (column, cell) in longest.enumerated() {
      if let style = cell.style { row.set(style.symbol, color: style.color, at: column) }
    }
  }

  /// Draws a curve of the greatest level in each column.
  private func fillLevels(of lane: LifecycleTimeline.Lane, in row: inout TerminalRow) {
    var levels = Array(repeating: 0, count: room)
    for span in lane.spans {
      for place in column(of: span.start)...column(of: span.end) {
        levels[place] = max(levels[place], span.level)
      }
    }
    let blocks = Array("▁▂▃▄▅▆▇█")
    let color = TerminalStyle(.observers).color
    let most = max(levels.max() ?? 1, 1)
    for (column, level) in levels.enumerated() where level > 0 {
      row.set(blocks[(level * 8 - 1) / most], color: color, at: column)
    }
  }

  private func fillSpans(of lane: LifecycleTimeline.Lane, in rows: inout [TerminalRow]) {
    for span in lane.spans {
      let columns = column(of: span.start)...column(of: span.end)
      rows[span.row].fill(columns, with: TerminalStyle(span.style))
    }
    let marked = Set(lane.subject == .process ? lane.marks.map { column(of: $0.time) } : [])
    for span in lane.spans where !span.label.isEmpty {
      var first = column(of: span.start)
      let last = column(of: span.end)
      // The end of the run before may stand in the first column of this one.
      if marked.contains(first) { first += 1 }
      let text = lane.subject == .process ? span.label : " \(span.label) "
      let width = SafeText.columns(SafeText.visible(text))
      if width + 2 <= last - first + 1 {
        let start = lane.subject == .process ? first : first + (last - first + 1 - width) / 2
        rows[span.row].write(text, at: start, replacing: [TerminalStyle(span.style).symbol])
      } else if lane.subject != .process {
        rows[span.row].write(text, at: last + 1)
      }
    }
  }

  private func marks(of lane: LifecycleTimeline.Lane) -> [ColumnMarks] {
    var marks = Array(repeating: ColumnMarks(), count: room)
    for mark in lane.marks { marks[column(of: mark.time)].add(mark) }
    return marks
  }

  /// Draws the marks, and the labels for which there is room.
  ///
  /// - Returns: The reasons of suppressed inputs for which there is none, and their columns.
  private func fillMarks(
    of lane: LifecycleTimeline.Lane,
    in row: inout TerminalRow
  ) -> [(column: Int, text: String)] {
    let marks = marks(of: lane)
    for (column, marks) in marks.enumerated() {
      guard let (character, style) = marks.symbol else { continue }
      row.set(character, color: style.color, at: column)
    }
    let connected = TerminalStyle(.connected).symbol
    var rest: [(column: Int, text: String)] = []
    for (column, marks) in marks.enumerated() {
      let label = marks.label(in: lane.subject)
      if label.isEmpty { continue }
      let isWritten = row.write(" \(label) ", at: column + 1, replacing: [connected])
      if !isWritten, lane.subject == .source { rest.append((column, label)) }
    }
    return rest
  }

  /// Returns a row for the reasons of the suppressed inputs above it.
  private func reasons(_ reasons: [(column: Int, text: String)]) -> TerminalRow {
    var row = TerminalRow(columns: room)
    for (column, text) in reasons {
      let start = min(column, room - text.count)
      // After a space, unless it is the first character.
      if start > 0 { row.write(" \(text)", at: start - 1) } else { row.write(text, at: start) }
    }
    return row
  }

  // MARK: Axis and legend

  private var axis: [String] {
    var (line, elapsed, wall) = (
      TerminalRow(columns: room), TerminalRow(columns: room), TerminalRow(columns: room)
    )
    for column in 0..<room { line.set("─", at: column) }
    var (last, free) = ("", 0)
    for time in TimeAxis(to: timeline.duration, count: max(room / 12, 1)).ticks {
      let column = column(of: time)
      line.set(time == .zero ? "├" : "┴", at: column)
      elapsed.write(time == .zero ? "0" : time.shortText, at: column)
      if let reading = timeline.wallClock.reading(at: time) {
        let text = TimeText.wall(reading)
        let shown = timeline.tickText(text, after: last)
        if column >= free, wall.write(shown, at: column) {
          (last, free) = (text, column + shown.count + 2)
        }
      }
    }
    let hasDate = !wall.text(usesColor: false).isEmpty
    return lines("", line) + lines("", elapsed) + (hasDate ? lines("UTC", wall) : [])
  }

  private var legend: [String] {
    var items = timeline.usedStyles.compactMap { style in
      TerminalStyle.meaning(of: style).map { legendItem(TerminalStyle(style), $0) }
    }
    let sources = timeline.lanes(.source)
    if sources.contains(where: { marks(of: $0).contains(where: \.isPartlySuppressed) }) {
      let style = TerminalStyle(.suppressed)
      items.append(
        legendItem(style, symbol: TerminalStyle.severalSuppressed, "several, some suppressed")
      )
    }
    if timeline.lanes.contains(where: { !$0.marks.isEmpty }) {
      for text in ["2–9 marks in a column", "# ten or more"] {
        let text = SafeText.fitted(text, columns: columns)
        items.append((text.count, text))
      }
    }
    var lines: [String] = []
    var (line, width) = ("", 0)
    for item in items {
      if width > 0, width + 2 + item.width > columns {
        lines.append(line)
        (line, width) = ("", 0)
      }
      line += (width > 0 ? "  " : "") + item.text
      width += (width > 0 ? 2 : 0) + item.width
    }
    return line.isEmpty ? lines : lines + [line]
  }

  private func legendItem(
    _ style: TerminalStyle,
    symbol: Character? = nil,
    _ meaning: String
  ) -> (width: Int, text: String) {
    let meaning = SafeText.fitted(" \(meaning)", columns: columns - 1)
    return (1 + meaning.count, style.text(symbol, usesColor: usesColor) + meaning)
  }
}

/// The marks in the time of one column, which are drawn as one character.
private struct ColumnMarks {
  private var count = 0
  private var last: LifecycleTimeline.Mark?
  /// The reasons of the suppressed inputs, each once.
  private var reasons: [String] = []

  /// A Boolean value that indicates whether there is a suppressed input among several marks.
  var isPartlySuppressed: Bool { count > 1 && !reasons.isEmpty }

  mutating func add(_ mark: LifecycleTimeline.Mark) {
    count += 1
    last = mark
    if mark.style == .suppressed, !reasons.contains(mark.label) { reasons.append(mark.label) }
  }

  /// The character and its form; nil if there is no mark.
  var symbol: (character: Character, style: TerminalStyle)? {
    guard let last else { return nil }
    let style = TerminalStyle(reasons.isEmpty ? last.style : .suppressed)
    if count == 1 { return (style.symbol, style) }
    if isPartlySuppressed { return (TerminalStyle.severalSuppressed, style) }
    return (count < 10 ? Character("\(count)") : "#", style)
  }

  /// Returns the text beside the character; empty if there is none.
  func label(in subject: LifecycleTimeline.Lane.Subject) -> String {
    switch subject {
    case .notes, .notices: count == 1 ? last?.label ?? "" : ""
    case .source: reasons.joined(separator: ", ")
    default: ""
    }
  }
}
