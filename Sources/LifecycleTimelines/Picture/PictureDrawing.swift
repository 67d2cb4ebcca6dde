import LifecycleCore

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

/// Draws a timeline as SVG. The page's script draws the chart, from the lanes to the axis, in the
/// same steps with the same sizes, at other widths and for parts of the time.
struct PictureDrawing {
  static let width = 960.0
  private static let size = PictureSize.shared

  private let timeline: LifecycleTimeline
  private let left: Double
  private let right = width - size.margin - size.half
  private var y = 0.0
  private var output = ""
  /// What lies behind every other lane.
  private var bands = ""

  private init(_ timeline: LifecycleTimeline) {
    self.timeline = timeline
    left = Self.left(of: timeline)
  }

  /// Returns where the time begins, right of the names of the lanes.
  static func left(of timeline: LifecycleTimeline) -> Double {
    let names = timeline.lanes.map { PictureParts.width($0.name, size: 12) }
    return size.margin + min(max(names.max() ?? 0, 60), 180) + 16 + size.half
  }

  /// Returns the name of a lane, cut off at the room left of the time.
  static func name(of lane: LifecycleTimeline.Lane, left: Double) -> String {
    PictureParts.fitted(lane.name, width: left - size.margin - 15, size: 12)
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
    drawing.y = 0
    let lanes = output { drawing in
      for (index, lane) in timeline.lanes.enumerated() { drawing.add(lane, isOdd: index % 2 == 1) }
    }
    let axis = output { $0.addAxis() }
    drawing.y += top
    let legend = output { $0.addLegend() }
    let content = """
      \(heading)<g class="lanes" transform="translate(0 \(number(top)))">
      \(drawing.bands)\(axis)\(lanes)</g>
      \(legend)
      """
    return (content, Int(drawing.y.rounded(.up)))
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
    let room = Self.width - 2 * Self.size.margin
    y = 34
    let title = PictureParts.fitted(timeline.title, width: room, size: 18 * 1.05)
    text(title, x: Self.size.margin, y: y, class: "t title")
    for line in [timeline.facts.joined(separator: " · "), timeline.dates].compactMap({ $0 }) {
      y += 18
      let line = PictureParts.fitted(line, width: room, size: 12)
      text(line, x: Self.size.margin, y: y, class: "n")
    }
    y += 18
  }

  // MARK: Lanes

  private mutating func add(_ lane: LifecycleTimeline.Lane, isOdd: Bool) {
    let top = y
    y += Self.size.above
    let name = Self.name(of: lane, left: left)
    text(name, x: Self.size.margin, y: y + Self.size.row / 2 + Self.size.base, class: "t")
    let groups = MarkGroup.groups(of: lane.marks, x: x, limit: right + Self.size.half)
    if lane.subject == .observers {
      addLevels(of: lane)
    } else {
      addSpans(of: lane, beside: groups)
    }
    addMarks(of: lane, groups)
    y += Double(lane.rows) * (Self.size.row + Self.size.rowGap) + Self.size.below
    if isOdd {
      let margin = Self.size.margin
      bands += """
        <rect class="band" x="\(Self.number(margin / 2))" y="\(Self.number(top))" \
        width="\(Self.number(Self.width - margin))" height="\(Self.number(y - top))" rx="4"/>

        """
    }
  }

  private mutating func addSpans(of lane: LifecycleTimeline.Lane, beside groups: [MarkGroup]) {
    let size = Self.size
    let isLine = lane.subject == .source
    let isBeside = lane.subject != .phase && lane.subject != .process
    let rows = Dictionary(grouping: lane.spans, by: \.row)
    for row in rows.keys.sorted() {
      let spans = rows[row] ?? []
      let blocks = SpanBlock.blocks(of: spans, x: x)
      let middle = y + Double(row) * (size.row + size.rowGap) + size.row / 2
      var free = 0.0
      for (index, block) in blocks.enumerated() {
        let first = spans[block.spans.lowerBound]
        begin(first.start, block.latest, block.count, "span", first.detail)
        let height = isLine ? size.line : size.row - 2
        addBlock(block, top: isLine ? middle + size.lineTop : middle - height / 2, height: height)
        if !isLine, block.x >= free {
          addLabel(
            of: block,
            block.count == 1 ? first.label : MarkGroup.short(block.count),
            middle,
            limit: index + 1 < blocks.count ? blocks[index + 1].x : right + size.half,
            beside: row == 0 ? groups : [],
            hasRoomBeside: isBeside && block.count == 1
          )
        }
        free = max(free, block.end)
        output += "</g>\n"
      }
    }
  }

  /// Begins the group of what is drawn for spans or marks, with its title.
  private mutating func begin(
    _ start: Duration,
    _ end: Duration,
    _ count: Int,
    _ noun: String,
    _ detail: String
  ) {
    let (time, end) = (TimeText.position(start), TimeText.position(end))
    let title =
      count == 1
      ? "\(time): \(SafeText.short(detail))"
      : "\(time)\(end == time ? "" : " to \(end)"): \(LifecycleTimeline.count(count, noun))"
    output += "<g><title>\(SafeText.markup(title))</title>"
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

  private mutating func addLabel(
    of block: SpanBlock,
    _ label: String,
    _ middle: Double,
    limit: Double,
    beside groups: [MarkGroup],
    hasRoomBeside: Bool
  ) {
    let size = Self.size
    if block.isMixed {
      let width = MarkGroup.pillWidth(block.count)
      if width + size.clear <= block.end - block.x {
        addPill(block.count, x: (block.x + block.end - width) / 2, middle: middle)
      }
      return
    }
    if label.isEmpty { return }
    func place(from start: Double, to end: Double) -> Double? {
      MarkGroup.labelPlace(
        width: PictureParts.width(label),
        from: start + size.inset,
        to: end - size.clear,
        beside: groups
      )
    }
    if let place = place(from: block.x, to: min(block.end, limit)) {
      text(label, x: place, y: middle + size.base, class: "l i-\(block.style.rawValue)")
    } else if hasRoomBeside, let place = place(from: block.end, to: limit) {
      text(label, x: place, y: middle + size.base, class: "n s")
    }
  }

  private mutating func addPill(
    _ count: Int,
    x: Double,
    middle: Double,
    hasSuppressed: Bool = false
  ) {
    let (width, height) = (MarkGroup.pillWidth(count), Self.size.pillHeight)
    let name = hasSuppressed ? "pill pill-suppressed" : "pill"
    output += """
      <rect class="\(name)" x="\(Self.number(x))" y="\(Self.number(middle - height / 2))" \
      width="\(Self.number(width))" height="\(Self.number(height))" \
      rx="\(Self.number(height / 2))"/>
      """
    let (label, middle) = (MarkGroup.short(count), middle + Self.size.base)
    text(label, x: x + width / 2, y: middle, class: "t s", anchor: "middle")
  }

  private mutating func addMarks(of lane: LifecycleTimeline.Lane, _ groups: [MarkGroup]) {
    let size = Self.size
    let middle = y + size.row / 2 - (lane.subject == .source ? size.raised : 0)
    for (index, group) in groups.enumerated() {
      let marks = lane.marks[group.marks]
      let (first, last) = (marks[marks.startIndex], marks[marks.endIndex - 1])
      begin(first.time, last.time, group.count, "record", first.detail)
      defer { output += "</g>\n" }
      guard group.count == 1 else {
        let hasSuppressed = marks.contains { $0.style == .suppressed }
        addPill(group.count, x: group.left, middle: middle, hasSuppressed: hasSuppressed)
        continue
      }
      let style = first.style.rawValue
      output += """
        <use href="#m-\(style)" x="\(Self.number(group.left + size.half))" \
        y="\(Self.number(middle))" class="mark m-\(style)"/>
        """
      let end = index + 1 < groups.count ? groups[index + 1].left - size.clear : right + size.half
      let place = group.right + size.clear
      if lane.subject != .process, !first.label.isEmpty,
        place + PictureParts.width(first.label) <= end
      {
        text(first.label, x: place, y: middle + size.base, class: "n s")
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
    let bottom = y + Self.size.row
    var path = "M\(Self.number(left)) \(Self.number(bottom))"
    var previous = 0
    for (place, level) in levels.enumerated() where level != previous {
      let height = Double(level) / Double(most) * (Self.size.row - 2)
      path += "H\(Self.number(left + Double(place)))V\(Self.number(bottom - height))"
      previous = level
    }
    path += "H\(Self.number(right))V\(Self.number(bottom))Z"
    let (label, middle) = ("at most \(most)", y + Self.size.row / 2)
    begin(.zero, timeline.duration, 1, "", label)
    output += "<path class=\"f-observers\" d=\"\(path)\"/>"
    let place = left + Self.size.clear
    text(label, x: place, y: middle + Self.size.base, class: "l i-observers")
    output += "</g>\n"
  }

  // MARK: Axis and legend

  private mutating func addAxis() {
    let size = Self.size
    let axis = TimeAxis(to: timeline.duration, count: max(Int((right - left) / size.tick), 1))
    var last = ""
    var (freeElapsed, freeWall) = (0.0, 0.0)
    for (index, time) in axis.ticks.enumerated() {
      let place = x(time)
      let line = "M\(Self.number(place)) 0V\(Self.number(y + size.tickEnd))"
      output += "<path class=\"g\" d=\"\(line)\"/>\n"
      let label = TimeAxis.text(of: Double(index) * axis.step)
      var end = place + PictureParts.width(label)
      if place >= freeElapsed, end <= Self.width {
        text(label, x: place, y: y + size.elapsed, class: "t s")
        freeElapsed = end + size.tickGap
      }
      guard let reading = timeline.wallClock.reading(at: time) else { continue }
      let wall = TimeText.wall(reading)
      let shown = timeline.tickText(wall, after: last)
      end = place + PictureParts.width(shown)
      if wall != last, place >= freeWall, end <= Self.width {
        text(shown, x: place, y: y + size.wall, class: "n s")
        (freeWall, last) = (end + size.tickGap, wall)
      }
    }
    y += size.axis
  }

  private mutating func addLegend() {
    var place = Self.size.margin
    y += 14
    for style in timeline.usedStyles {
      let meaning = PictureParts.meaning(of: style)
      let width = 22 + PictureParts.width(meaning)
      if place > Self.size.margin, place + width > Self.width - Self.size.margin {
        place = Self.size.margin
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
