/// Marks that are drawn as one: a single one, or a count.
struct MarkGroup {
  var left: Double
  var right: Double
  var marks: Range<Int>
  var count: Int { marks.count }

  /// Returns the groups from left to right. None touches the next one.
  ///
  /// - Complexity: O(*n*).
  static func groups(
    of marks: [LifecycleTimeline.Mark],
    x: (Duration) -> Double,
    limit: Double
  ) -> [MarkGroup] {
    let size = PictureSize.shared
    var groups: [MarkGroup] = []
    for index in marks.indices {
      let (left, right) = (x(marks[index].time) - size.half, x(marks[index].time) + size.half)
      if let last = groups.last, left < last.right + size.gap {
        groups[groups.count - 1].extend(to: index + 1)
      } else {
        groups.append(MarkGroup(left: left, right: right, marks: index..<index + 1))
      }
    }
    // The last count may have grown beyond the edge.
    while let last = groups.last, last.count > 1, last.right > limit {
      let left = limit - (last.right - last.left)
      guard groups.count > 1, groups[groups.count - 2].right + size.gap > left else {
        (groups[groups.count - 1].left, groups[groups.count - 1].right) = (left, limit)
        break
      }
      groups.removeLast()
      groups[groups.count - 1].extend(to: last.marks.upperBound)
    }
    return groups
  }

  private mutating func extend(to end: Int) {
    marks = marks.lowerBound..<end
    right = left + Self.pillWidth(count)
  }

  /// Returns the place of a label that overlaps none of the groups; nil if there is no room.
  static func labelPlace(
    width: Double,
    from start: Double,
    to end: Double,
    beside groups: [MarkGroup]
  ) -> Double? {
    let clear = PictureSize.shared.clear
    var place = start
    for group in groups where group.left - clear < place + width && group.right + clear > place {
      place = group.right + clear
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
    PictureParts.width(short(count)) + PictureSize.shared.pill
  }
}

/// Spans of a row that are drawn as one: a wide one, several that are too narrow to see, or several
/// that share the last row of a lane at the same time.
struct SpanBlock {
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
          end: max(end, start + PictureSize.shared.least),
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
    let size = PictureSize.shared
    return end - start < size.narrow && longest < size.narrow && start < self.end + size.narrow
      && end - x <= size.widest
  }
}
