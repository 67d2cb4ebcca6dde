/// Draws a timeline as SVG.
struct PictureDrawing {
  let timeline: LifecycleTimeline
  let width: Double
  let seconds: Double
  let isWide: Bool
  let left: Double
  let right: Double
  var y = 0.0
  var output = ""
  /// What lies behind every other lane.
  var bands = ""

  static let margin = 16.0
  static let rowHeight = 20.0

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

  func x(_ time: Duration) -> Double {
    guard seconds > 0 else { return left }
    return left + min(max((time / .seconds(1)) / seconds, 0), 1) * (right - left)
  }

  mutating func text(
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

  // MARK: Axis and legend

  private mutating func addAxis(from top: Double) {
    let axis = TimeAxis(from: 0, to: seconds, count: max(Int((right - left) / 80), 1))
    var last = ""
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
      let shown = timeline.tickText(wall, after: last)
      end = place + PictureParts.width(shown, size: 11)
      if wall != last, place >= freeWall, end <= width {
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
      return
        "<use href=\"#m-\(name)\" x=\"\(number(x))\" y=\"\(number(y))\" class=\"mark m-\(name)\"/>"
    }
    let rect = "x=\"\(number(x - 8))\" y=\"\(number(y - 6))\" width=\"16\" height=\"12\" rx=\"2\""
    let pattern =
      PictureParts.pattern(over: style) == nil ? "" : "<rect fill=\"url(#p-\(name))\" \(rect)/>"
    return "<rect class=\"f-\(name)\" \(rect)/>\(pattern)<rect class=\"edge o-\(name)\" \(rect)/>"
  }
}
