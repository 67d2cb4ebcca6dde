import ReactiveLifecycle

extension LifecycleTimeline {
  /// A self-contained picture, 960 points wide, in the colors that the viewer prefers: SVG without
  /// scripts and external references.
  ///
  /// Each mark and span has a title, which browsers show as a tooltip. What is closer together than
  /// can be told apart is drawn as one mark with a count, so the size of the picture does not grow
  /// with the recording. Of spans that overlap, three have a row of their own, and the others share
  /// one, as one span with a count.
  ///
  /// - Complexity: O(*n*) in the number of records.
  public var svg: String {
    let (content, height) = PictureDrawing.drawn(self)
    let width = Int(PictureDrawing.width)
    let description = lanes.map { lane in
      let parts = [(lane.spans.count, "span"), (lane.marks.count, "mark")].filter { $0.0 > 0 }
      let numbers = parts.map { Self.count($0.0, $0.1) }.joined(separator: ", ")
      return "\(SafeText.short(lane.name)): \(numbers)"
    }
    .joined(separator: "; ")
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" role="img" aria-labelledby="title desc">
      <title id="title">\(SafeText.markup(SafeText.short(title)))</title>
      <desc id="desc">\(SafeText.markup(facts.joined(separator: ", "))). \
      \(SafeText.markup(description)).</desc>
      <style>
      \(PictureParts.rules)
      \(Palette.light.rules)
      @media (prefers-color-scheme: dark){
      \(Palette.dark.rules)
      }
      </style>
      \(PictureParts.definitions)
      <rect class="bg" width="\(width)" height="\(height)" rx="8"/>
      \(content)</svg>

      """
  }
}

/// Draws a timeline as SVG.
struct PictureDrawing {
  static let width = 960.0
  private static let margin = 16.0
  private static let rowHeight = 20.0

  private let timeline: LifecycleTimeline
  private let left: Double
  private let right = width - margin - 7
  private var y = 0.0
  private var output = ""
  /// What lies behind every other lane.
  private var bands = ""

  private init(_ timeline: LifecycleTimeline) {
    self.timeline = timeline
    let names = timeline.lanes.map { PictureParts.width($0.name, size: 12) }
    left = Self.margin + min(max(names.max() ?? 0, 60), 180) + 16 + 7
  }

  /// Returns the content of the `svg` element, and the height.
  static func drawn(_ timeline: LifecycleTimeline) -> (content: String, height: Int) {
    var drawing = PictureDrawing(timeline)
    /// Returns what a method draws.
    func output(of draw: (inout PictureDrawing) -> Void) -> String {
      drawing.output = ""
      draw(&drawing)
      return drawing.output
    }
    let heading = output { $0.addHeading() }
    let top = drawing.y
    let lanes = output { drawing in
      for (index, lane) in timeline.lanes.enumerated() { drawing.add(lane, isOdd: index % 2 == 1) }
    }
    let axis = output { $0.addAxis(from: top) }
    let legend = output { $0.addLegend() }
    return (heading + drawing.bands + axis + lanes + legend, Int(drawing.y.rounded(.up)))
  }

  private func x(_ time: Duration) -> Double {
    guard timeline.duration > .zero else { return left }
    return left + min(max(time / timeline.duration, 0), 1) * (right - left)
  }

  private mutating func text(
    _ text: String,
    x: Double,
    y: Double,
    class name: String,
    anchor: String = "start"
  ) {
    let anchor = anchor == "start" ? "" : " text-anchor=\"\(anchor)\""
    output += """
      <text x="\(Self.number(x))" y="\(Self.number(y))" class="\(name)"\(anchor)>\
      \(SafeText.markup(text))</text>

      """
  }

  private static func number(_ value: Double) -> String {
    let rounded = (value * 10).rounded() / 10
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }

  // MARK: Heading

  private mutating func addHeading() {
    let room = Self.width - 2 * Self.margin
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
    y += 6
    let name = PictureParts.fitted(lane.name, width: left - Self.margin - 15, size: 12)
    text(name, x: Self.margin, y: y + Self.rowHeight / 2 + 4, class: "t")
    let groups = MarkGroup.groups(of: lane.marks, x: x, limit: right + 7)
    if lane.subject == .observers {
      addLevels(of: lane)
    } else {
      addSpans(of: lane, beside: groups)
    }
    addMarks(of: lane, groups)
    y += Double(lane.rows) * (Self.rowHeight + 2) + 4
    if isOdd {
      bands += """
        <rect class="band" x="\(Self.number(Self.margin / 2))" y="\(Self.number(top))" \
        width="\(Self.number(Self.width - Self.margin))" height="\(Self.number(y - top))" rx="4"/>

        """
    }
  }

  private mutating func addSpans(of lane: LifecycleTimeline.Lane, beside groups: [MarkGroup]) {
    let isThin = lane.subject == .source
    let rows = Dictionary(grouping: lane.spans, by: \.row)
    for row in rows.keys.sorted() {
      let spans = rows[row] ?? []
      let blocks = SpanBlock.blocks(of: spans, x: x)
      let middle = y + Double(row) * (Self.rowHeight + 2) + Self.rowHeight / 2
      let top = isThin ? middle + 7 : middle - Self.rowHeight / 2 + 1
      for block in blocks {
        let first = spans[block.spans.lowerBound]
        let detail =
          block.count == 1 ? first.detail : "\(LifecycleTimeline.grouped(block.count)) spans"
        let time = TimeText.position(first.start)
        output += "<g><title>\(SafeText.markup("\(time): \(SafeText.short(detail))"))</title>"
        addBlock(block, top: top, height: isThin ? 3 : Self.rowHeight - 2)
        output += "</g>\n"
      }
      let isBeside = lane.subject != .phase && lane.subject != .process
      if !isThin {
        addLabels(of: blocks, spans, middle, row == 0 ? groups : [], besideBlocks: isBeside)
      }
    }
  }

  /// Draws one span, or what part of the time each form had.
  private mutating func addBlock(_ block: SpanBlock, top: Double, height: Double) {
    let whole = block.sums.values.reduce(0, +)
    let styles = LifecycleTimeline.Style.allCases.filter { block.sums[$0] != nil }
    var bottom = top + height
    for style in block.isMixed ? styles : [block.style] {
      let part = block.isMixed ? height * (block.sums[style] ?? 0) / whole : height
      bottom -= part
      let rect = rect(block, top: bottom, height: part)
      output += "<rect class=\"f-\(style.rawValue)\" \(rect)/>"
      if PictureParts.pattern(over: style) != nil {
        output += "<rect fill=\"url(#p-\(style.rawValue))\" \(rect)/>"
      }
    }
    let edge = rect(block, top: top, height: height)
    output += "<rect class=\"edge o-\(block.style.rawValue)\" \(edge)/>"
  }

  private func rect(_ block: SpanBlock, top: Double, height: Double) -> String {
    """
    x="\(Self.number(block.x))" y="\(Self.number(top))" \
    width="\(Self.number(block.end - block.x))" height="\(Self.number(height))"\
    \(block.isMixed ? "" : " rx=\"2\"")
    """
  }

  private mutating func addLabels(
    of blocks: [SpanBlock],
    _ spans: [LifecycleTimeline.Span],
    _ middle: Double,
    _ groups: [MarkGroup],
    besideBlocks: Bool
  ) {
    var free = 0.0
    for (index, block) in blocks.enumerated() {
      defer { free = max(free, block.end) }
      let label =
        block.count == 1 ? spans[block.spans.lowerBound].label : MarkGroup.short(block.count)
      guard block.x >= free, !label.isEmpty else { continue }
      if block.isMixed {
        let width = MarkGroup.pillWidth(block.count)
        if width + 4 <= block.end - block.x {
          addPill(block.count, x: (block.x + block.end - width) / 2, middle: middle)
        }
        continue
      }
      let width = PictureParts.width(label, size: 11)
      let limit = index + 1 < blocks.count ? blocks[index + 1].x : right + 7
      if let place = MarkGroup.labelPlace(
        width: width,
        from: block.x + 5,
        to: min(block.end, limit) - 4,
        beside: groups
      ) {
        text(label, x: place, y: middle + 4, class: "l i-\(block.style.rawValue)")
      } else if besideBlocks, block.count == 1,
        let place = MarkGroup.labelPlace(
          width: width,
          from: block.end + 5,
          to: limit - 4,
          beside: groups
        )
      {
        text(label, x: place, y: middle + 4, class: "n s")
      }
    }
  }

  private mutating func addPill(
    _ count: Int,
    x: Double,
    middle: Double,
    hasSuppressed: Bool = false
  ) {
    let width = MarkGroup.pillWidth(count)
    let name = hasSuppressed ? "pill pill-suppressed" : "pill"
    output += """
      <rect class="\(name)" x="\(Self.number(x))" y="\(Self.number(middle - 8))" \
      width="\(Self.number(width))" height="16" rx="8"/>
      """
    let label = MarkGroup.short(count)
    text(label, x: x + width / 2, y: middle + 4, class: "t s", anchor: "middle")
  }

  private mutating func addMarks(of lane: LifecycleTimeline.Lane, _ groups: [MarkGroup]) {
    let middle = y + Self.rowHeight / 2 - (lane.subject == .source ? 2 : 0)
    for (index, group) in groups.enumerated() {
      let mark = lane.marks[group.marks.lowerBound]
      let last = lane.marks[group.marks.upperBound - 1]
      let time = TimeText.position(mark.time)
      guard group.count == 1 else {
        let until = TimeText.position(last.time)
        let title = "\(time) to \(until): \(LifecycleTimeline.count(group.count, "record"))"
        output += "<g><title>\(title)</title>"
        let hasSuppressed = lane.marks[group.marks].contains { $0.style == .suppressed }
        addPill(group.count, x: group.x, middle: middle, hasSuppressed: hasSuppressed)
        output += "</g>\n"
        continue
      }
      let style = mark.style.rawValue
      output += """
        <g><title>\(SafeText.markup("\(time): \(SafeText.short(mark.detail))"))</title>\
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
    let axis = TimeAxis(to: timeline.duration, count: max(Int((right - left) / 80), 1))
    var last = ""
    var (freeElapsed, freeWall) = (0.0, 0.0)
    for time in axis.ticks {
      let place = x(time)
      let label = time == .zero ? "0" : time.shortText
      output += """
        <path class="g" d="M\(Self.number(place)) \(Self.number(top))V\(Self.number(y + 5))"/>

        """
      var end = place + PictureParts.width(label, size: 11)
      if place >= freeElapsed, end <= Self.width {
        text(label, x: place, y: y + 18, class: "t s")
        freeElapsed = end + 8
      }
      guard let reading = timeline.wallClock.reading(at: time) else { continue }
      let wall = TimeText.wall(reading)
      let shown = timeline.tickText(wall, after: last)
      end = place + PictureParts.width(shown, size: 11)
      if wall != last, place >= freeWall, end <= Self.width {
        text(shown, x: place, y: y + 33, class: "n s")
        (freeWall, last) = (end + 8, wall)
      }
    }
    y += 44
  }

  private mutating func addLegend() {
    var place = Self.margin
    y += 14
    for style in timeline.usedStyles {
      let meaning = PictureParts.meaning(of: style)
      let width = 22 + PictureParts.width(meaning, size: 11)
      if place > Self.margin, place + width > Self.width - Self.margin {
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
      return
        "<use href=\"#m-\(name)\" x=\"\(number(x))\" y=\"\(number(y))\" class=\"mark m-\(name)\"/>"
    }
    let rect = "x=\"\(number(x - 8))\" y=\"\(number(y - 6))\" width=\"16\" height=\"12\" rx=\"2\""
    let pattern =
      PictureParts.pattern(over: style) == nil ? "" : "<rect fill=\"url(#p-\(name))\" \(rect)/>"
    return "<rect class=\"f-\(name)\" \(rect)/>\(pattern)<rect class=\"edge o-\(name)\" \(rect)/>"
  }
}
