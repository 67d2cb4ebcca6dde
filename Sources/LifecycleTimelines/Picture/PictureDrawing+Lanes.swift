extension PictureDrawing {
  mutating func add(_ lane: LifecycleTimeline.Lane, isOdd: Bool) {
    let top = y
    let size = 12.0
    y += 6
    if !isWide {
      let room = width - 2 * Self.margin
      text(
        PictureParts.fitted(lane.name, width: room, size: size),
        x: Self.margin,
        y: y + 10,
        class: "t"
      )
      y += 16
    } else {
      let room = left - Self.margin - 15
      text(
        PictureParts.fitted(lane.name, width: room, size: size),
        x: Self.margin,
        y: y + Self.rowHeight / 2 + 4,
        class: "t"
      )
    }
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
        width="\(Self.number(width - Self.margin))" height="\(Self.number(y - top))" rx="4"/>

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
        let time = TimeText.position(first.start / .seconds(1))
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
      let time = TimeText.position(mark.time / .seconds(1))
      guard group.count == 1 else {
        let until = TimeText.position(last.time / .seconds(1))
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
}
