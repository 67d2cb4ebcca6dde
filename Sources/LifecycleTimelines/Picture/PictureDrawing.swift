/// Draws a timeline as SVG.
struct PictureDrawing {
  private let timeline: LifecycleTimeline
  private let width: Double
  private let seconds: Double
  private let isWide: Bool
  private let left: Double
  private let right: Double
  private var y = 0.0
  private var output = ""

  private static let margin = 16.0
  private static let rowHeight = 20.0

  init(_ timeline: LifecycleTimeline, width: Int) {
    self.timeline = timeline
    self.width = Double(width)
    seconds = timeline.duration / .seconds(1)
    isWide = width >= 640
    let names = timeline.lanes.map { PictureParts.width($0.name, size: 12) }
    let gutter = isWide ? min(max(names.max() ?? 0, 60), 180) + 16 : 0
    left = Self.margin + gutter + 7
    right = self.width - Self.margin - 7
  }

  /// Returns the content of the `svg` element, and the height.
  static func drawn(_ timeline: LifecycleTimeline, width: Int) -> (content: String, height: Int) {
    var drawing = PictureDrawing(timeline, width: width)
    drawing.addHeading()
    let top = drawing.y
    let before = drawing.output
    drawing.output = ""
    for (index, lane) in timeline.lanes.enumerated() { drawing.add(lane, isOdd: index % 2 == 1) }
    let lanes = drawing.output
    drawing.output = ""
    let bands = drawing.bands
    drawing.addAxis(from: top)
    let axis = drawing.output
    drawing.output = ""
    drawing.addLegend()
    return (before + bands + axis + lanes + drawing.output, Int(drawing.y.rounded(.up)))
  }

  private var bands = ""

  private func x(_ time: Duration) -> Double {
    guard seconds > 0 else { return left }
    return left + min(max((time / .seconds(1)) / seconds, 0), 1) * (right - left)
  }

  private mutating func text(
    _ text: String, x: Double, y: Double, class name: String, anchor: String = "start"
  ) {
    let anchor = anchor == "start" ? "" : " text-anchor=\"\(anchor)\""
    output += """
      <text x="\(Self.number(x))" y="\(Self.number(y))" class="\(name)"\(anchor)>\
      \(SafeText.markup(text))</text>

      """
  }

  static func number(_ value: Double) -> String {
    let rounded = (value * 10).rounded() / 10
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }

  // MARK: Heading

  private mutating func addHeading() {
    let room = width - 2 * Self.margin
    y = 34
    let title = PictureParts.fitted(timeline.title, width: room, size: 18 * 1.05)
    text(title, x: Self.margin, y: y, class: "t title")
    for line in [timeline.facts.joined(separator: " · "), timeline.dates].compactMap({ $0 }) {
      y += 18
      let line = PictureParts.fitted(line, width: room, size: 12)
      text(line, x: Self.margin, y: y, class: "n")
    }
    y += 18
  }

  // MARK: Lanes

  private mutating func add(_ lane: LifecycleTimeline.Lane, isOdd: Bool) {
    let top = y
    let size = 12.0
    y += 6
    if !isWide {
      let room = width - 2 * Self.margin
      text(
        PictureParts.fitted(lane.name, width: room, size: size), x: Self.margin, y: y + 10,
        class: "t"
      )
      y += 16
    } else {
      let room = left - Self.margin - 15
      text(
        PictureParts.fitted(lane.name, width: room, size: size), x: Self.margin,
        y: y + Self.rowHeight / 2 + 4, class: "t"
      )
    }
    if lane.subject == .observers { addLevels(of: lane) } else { addSpans(of: lane) }
    addMarks(of: lane)
    y += Double(lane.rows) * (Self.rowHeight + 2) + 4
    if isOdd {
      bands += """
        <rect class="band" x="\(Self.number(Self.margin / 2))" y="\(Self.number(top))" \
        width="\(Self.number(width - Self.margin))" height="\(Self.number(y - top))" rx="4"/>

        """
    }
  }

  private mutating func addSpans(of lane: LifecycleTimeline.Lane) {
    let isThin = lane.subject == .source
    let rows = Dictionary(grouping: lane.spans, by: \.row)
    for row in rows.keys.sorted() {
      let spans = rows[row] ?? []
      let blocks = SpanBlock.blocks(of: spans, x: x)
      let middle = y + Double(row) * (Self.rowHeight + 2) + Self.rowHeight / 2
      let height = isThin ? 6 : Self.rowHeight - 2
      for block in blocks {
        let first = spans[block.spans.lowerBound]
        let count = block.spans.count
        let detail = count == 1 ? first.detail : "\(LifecycleTimeline.grouped(count)) spans"
        let time = TimeText.elapsed(first.start / .seconds(1))
        addBlock(block, middle: middle, height: height, title: "\(time) s: \(detail)")
      }
      if !isThin { addLabels(of: blocks, spans, middle: middle) }
    }
  }

  private mutating func addBlock(
    _ block: SpanBlock, middle: Double, height: Double, title: String
  ) {
    let rect = """
      x="\(Self.number(block.x))" y="\(Self.number(middle - height / 2))" \
      width="\(Self.number(block.end - block.x))" height="\(Self.number(height))" rx="2"
      """
    let style = block.style.rawValue
    output += "<g><title>\(SafeText.markup(title))</title><rect class=\"f-\(style)\" \(rect)/>"
    if PictureParts.pattern(over: block.style) != nil {
      output += "<rect fill=\"url(#p-\(style))\" \(rect)/>"
    }
    output += "<rect class=\"edge o-\(style)\" \(rect)/></g>\n"
  }

  private mutating func addLabels(
    of blocks: [SpanBlock], _ spans: [LifecycleTimeline.Span], middle: Double
  ) {
    var free = 0.0
    for (index, block) in blocks.enumerated() {
      let count = block.spans.count
      let label = count == 1 ? spans[block.spans.lowerBound].label : MarkGroup.short(count)
      let end = index + 1 < blocks.count ? min(block.end, blocks[index + 1].x) : block.end
      if block.x >= free, !label.isEmpty,
        PictureParts.width(label, size: 11) + 8 <= end - block.x
      {
        text(label, x: block.x + 5, y: middle + 4, class: "l i-\(block.style.rawValue)")
      }
      free = max(free, block.end)
    }
  }

  private mutating func addMarks(of lane: LifecycleTimeline.Lane) {
    let groups = MarkGroup.groups(of: lane.marks, x: x, limit: right + 7)
    let middle = y + Self.rowHeight / 2
    for (index, group) in groups.enumerated() {
      let mark = lane.marks[group.marks.lowerBound]
      let last = lane.marks[group.marks.upperBound - 1]
      let time = TimeText.elapsed(mark.time / .seconds(1))
      guard group.count == 1 else {
        let until = TimeText.elapsed(last.time / .seconds(1))
        let title = "\(time) s to \(until) s: \(LifecycleTimeline.count(group.count, "record"))"
        output += """
          <g><title>\(title)</title><rect class="pill" x="\(Self.number(group.x))" \
          y="\(Self.number(middle - 8))" width="\(Self.number(group.right - group.x))" \
          height="16" rx="8"/>
          """
        text(
          MarkGroup.short(group.count), x: (group.x + group.right) / 2, y: middle + 4,
          class: "t s", anchor: "middle"
        )
        output += "</g>\n"
        continue
      }
      let style = mark.style.rawValue
      output += """
        <g><title>\(SafeText.markup("\(time) s: \(mark.detail)"))</title>\
        <use href="#m-\(style)" x="\(Self.number(group.x))" y="\(Self.number(middle))" \
        class="mark m-\(style)"/></g>

        """
      let end = index + 1 < groups.count ? groups[index + 1].left - 4 : right + 7
      let room = end - group.right - 4
      let label = mark.label
      if lane.subject != .process, !label.isEmpty,
        PictureParts.width(label, size: 11) <= room
      {
        text(label, x: group.right + 4, y: middle + 4, class: "n s")
      }
    }
  }

  /// A curve of the greatest level in each pixel.
  private mutating func addLevels(of lane: LifecycleTimeline.Lane) {
    var levels = Array(repeating: 0, count: Int(right - left) + 1)
    for span in lane.spans {
      for place in Int(x(span.start) - left)...Int(x(span.end) - left) {
        levels[place] = max(levels[place], span.level)
      }
    }
    let most = max(levels.max() ?? 0, 1)
    let bottom = y + Self.rowHeight
    var path = "M\(Self.number(left)) \(Self.number(bottom))"
    var previous = 0
    for (place, level) in levels.enumerated() where level != previous {
      let height = Double(level) / Double(most) * (Self.rowHeight - 2)
      path += "H\(Self.number(left + Double(place)))V\(Self.number(bottom - height))"
      previous = level
    }
    path += "H\(Self.number(right))V\(Self.number(bottom))Z"
    output += """
      <g><title>At most \(LifecycleTimeline.count(most, "observer")).</title>\
      <path class="f-observers" d="\(path)"/></g>

      """
    text("at most \(most)", x: left + 4, y: y + 14, class: "l i-observers")
  }

  // MARK: Axis and legend

  private mutating func addAxis(from top: Double) {
    let axis = TimeAxis(from: 0, to: seconds, count: max(Int((right - left) / 90), 1))
    var date = ""
    var (freeElapsed, freeWall) = (0.0, 0.0)
    for time in axis.ticks {
      let place = x(.seconds(time))
      let label = time == 0 ? "0" : TimeText.duration(time)
      output += """
        <path class="g" d="M\(Self.number(place)) \(Self.number(top))V\(Self.number(y + 5))"/>

        """
      var end = place + PictureParts.width(label, size: 11)
      if place >= freeElapsed, end <= width {
        text(label, x: place, y: y + 18, class: "t s")
        freeElapsed = end + 8
      }
      guard let reading = timeline.wallClock.reading(at: time) else { continue }
      let wall = TimeText.wall(reading)
      let day = String(wall.prefix(10))
      let shown = String(day == date ? wall.dropFirst(11) : wall.dropFirst(5))
      end = place + PictureParts.width(shown, size: 11)
      if place >= freeWall, end <= width {
        text(shown, x: place, y: y + 33, class: "n s")
        (freeWall, date) = (end + 8, day)
      }
    }
    y += 44
  }

  private mutating func addLegend() {
    let used = Set(timeline.lanes.flatMap { $0.spans.map(\.style) + $0.marks.map(\.style) })
    var place = Self.margin
    y += 14
    for style in LifecycleTimeline.Style.allCases where used.contains(style) {
      let meaning = PictureParts.meaning(of: style)
      let width = 22 + PictureParts.width(meaning, size: 11)
      if place > Self.margin, place + width > self.width - Self.margin {
        place = Self.margin
        y += 20
      }
      output += Self.sample(of: style, x: place + 8, y: y - 4)
      text(meaning, x: place + 20, y: y, class: "n s")
      place += width + 12
    }
    y += 16
  }

  /// Returns the sample of a form for a legend.
  static func sample(of style: LifecycleTimeline.Style, x: Double, y: Double) -> String {
    let name = style.rawValue
    guard Palette.light.fills[style] != nil else {
      return "<use href=\"#m-\(name)\" x=\"\(number(x))\" y=\"\(number(y))\" class=\"mark m-\(name)\"/>"
    }
    let rect = "x=\"\(number(x - 8))\" y=\"\(number(y - 6))\" width=\"16\" height=\"12\" rx=\"2\""
    let pattern =
      PictureParts.pattern(over: style) == nil ? "" : "<rect fill=\"url(#p-\(name))\" \(rect)/>"
    return "<rect class=\"f-\(name)\" \(rect)/>\(pattern)<rect class=\"edge o-\(name)\" \(rect)/>"
  }
}
