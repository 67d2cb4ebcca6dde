/// Marks that are drawn as one: a single one, or a count.
struct MarkGroup {
  /// The middle of a single mark, or the left edge of a count.
  var x: Double
  var right: Double
  var marks: Range<Int>
  var count: Int { marks.count }
  var left: Double { count == 1 ? x - 7 : x }

  /// Returns the groups from left to right. None touches the next one.
  ///
  /// - Complexity: O(*n*).
  static func groups(
    of marks: [LifecycleTimeline.Mark],
    x: (Duration) -> Double,
    limit: Double
  ) -> [MarkGroup] {
    var groups: [MarkGroup] = []
    for index in marks.indices {
      let place = x(marks[index].time)
      if var last = groups.last, place - 7 < last.right + 2 {
        if last.count == 1 { last.x -= 7 }
        last.marks = last.marks.lowerBound..<index + 1
        last.right = last.x + pillWidth(last.count)
        groups[groups.count - 1] = last
      } else {
        groups.append(MarkGroup(x: place, right: place + 7, marks: index..<index + 1))
      }
    }
    // The last count may have grown beyond the edge.
    while let last = groups.last, last.count > 1, last.right > limit {
      let moved = limit - pillWidth(last.count)
      guard groups.count > 1, groups[groups.count - 2].right + 2 > moved else {
        groups[groups.count - 1].x = moved
        groups[groups.count - 1].right = limit
        break
      }
      var before = groups[groups.count - 2]
      if before.count == 1 { before.x -= 7 }
      before.marks = before.marks.lowerBound..<last.marks.upperBound
      before.right = before.x + pillWidth(before.count)
      groups.removeLast()
      groups[groups.count - 1] = before
    }
    return groups
  }

  /// Returns the place of a label that overlaps none of the groups; nil if there is no room.
  static func labelPlace(
    width: Double,
    from start: Double,
    to end: Double,
    beside groups: [MarkGroup]
  ) -> Double? {
    var place = start
    for group in groups where group.left - 4 < place + width && group.right + 4 > place {
      place = group.right + 4
    }
    return place + width <= end ? place : nil
  }

  /// A count in few characters: `128`, `1.2k`, `45k`.
  static func short(_ count: Int) -> String {
    switch count {
    case ..<1_000: "\(count)"
    case ..<10_000: "\(count / 1_000).\(count % 1_000 / 100)k"
    case ..<1_000_000: "\(count / 1_000)k"
    default: "\(count / 1_000_000)M"
    }
  }

  static func pillWidth(_ count: Int) -> Double {
    PictureParts.width(short(count), size: 11) + 10
  }
}

/// Spans of a row that are drawn as one: a wide one, several that are too narrow to see, or several
/// that share the last row of a lane at the same time.
struct SpanBlock {
  static let narrow = 3.0
  static let widest = 48.0

  var x: Double
  var end: Double
  var spans: Range<Int>
  /// The latest end of a span.
  var latest: Duration
  /// The form that lasted longest.
  var style: LifecycleTimeline.Style
  var longest: Double
  /// The time that each form had.
  var sums: [LifecycleTimeline.Style: Double] = [:]
  var count: Int { spans.count }
  var isMixed: Bool { sums.count > 1 }

  /// Returns the blocks from left to right.
  ///
  /// - Complexity: O(*n*).
  static func blocks(
    of spans: [LifecycleTimeline.Span],
    x: (Duration) -> Double
  ) -> [SpanBlock] {
    var blocks: [SpanBlock] = []
    for index in spans.indices {
      let (start, end) = (x(spans[index].start), x(spans[index].end))
      let width = end - start
      if var last = blocks.last, spans[index].start < last.latest || last.absorbs(start, end) {
        last.end = max(last.end, end)
        last.latest = max(last.latest, spans[index].end)
        last.spans = last.spans.lowerBound..<index + 1
        if width > last.longest { (last.style, last.longest) = (spans[index].style, width) }
        blocks[blocks.count - 1] = last
      } else {
        let block = SpanBlock(
          x: start,
          end: max(end, start + 1.5),
          spans: index..<index + 1,
          latest: spans[index].end,
          style: spans[index].style,
          longest: width
        )
        blocks.append(block)
      }
      if width > 0 { blocks[blocks.count - 1].sums[spans[index].style, default: 0] += width }
    }
    return blocks
  }

  /// Returns whether a later span is too narrow, and too close, to be drawn beside the block.
  private func absorbs(_ start: Double, _ end: Double) -> Bool {
    end - start < Self.narrow && longest < Self.narrow && start < self.end + Self.narrow
      && end - x <= Self.widest
  }
}
