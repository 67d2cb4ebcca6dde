#if canImport(FoundationEssentials)
  import class FoundationEssentials.JSONEncoder
#else
  import class Foundation.JSONEncoder
#endif

/// The sizes of a picture, in points. The page has them in its data, so that its first view is the
/// picture.
struct PictureSize: Encodable {
  static let shared = PictureSize()

  let margin = 16.0
  let row = 20.0
  let rowGap = 2.0
  /// Above and below the rows of a lane.
  let above = 6.0
  let below = 4.0
  /// Half of a mark.
  let half = 7.0
  /// What is closer together is one mark.
  let gap = 2.0
  /// Around the number in a count, and the height of the count.
  let pill = 10.0
  let pillHeight = 16.0
  /// The inputs of a source are drawn above its span, which is a line.
  let raised = 2.0
  let line = 3.0
  let lineTop = 7.0
  /// Spans that are narrower are drawn as one, up to the width `widest`.
  let narrow = 3.0
  let widest = 48.0
  let least = 1.5
  /// The font of labels, and what lies below the middle of a row: their base line.
  let font = 11.0
  let base = 4.0
  /// Before a label in a span, and around other labels.
  let inset = 5.0
  let clear = 4.0
  /// The room for a tick, between the texts of ticks, and below the lanes.
  let tick = 80.0
  let tickGap = 8.0
  let tickEnd = 5.0
  let elapsed = 18.0
  let wall = 33.0
  let axis = 44.0

  /// The sizes by their names, as JSON. A mirror has no names where reflection is disabled.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Finite numbers can always be encoded.
    return String(decoding: try! encoder.encode(self), as: UTF8.self)
  }
}

/// The parts of pictures that do not depend on a timeline.
enum PictureParts {
  /// With less, the edges of the faintest spans could hardly be seen.
  static let edgeOpacity = 0.7

  /// The style sheet apart from colors.
  static let rules = """
    text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;\
    font-size:12px}
    .s{font-size:11px}.title{font-size:18px;font-weight:600}
    .l{paint-order:stroke;stroke-width:3px;stroke-linejoin:round;font-size:11px}
    .g{stroke-width:1}.o{fill:none;stroke-opacity:.3}.edge{fill:none;stroke-opacity:\(edgeOpacity)}
    .pill{stroke-width:1}.pill-suppressed{stroke-width:1.5;stroke-dasharray:4 2}\
    .mark{stroke-width:1.5}
    """

  /// The forms of the marks, and the patterns over fills. A mark's form says what it is where its
  /// color does not.
  static var definitions: String {
    let forms = LifecycleTimeline.Style.allCases.compactMap { style in
      form(of: style).map { "<path id=\"m-\(style.rawValue)\" d=\"\($0)\"/>" }
    }
    let patterns = LifecycleTimeline.Style.allCases.compactMap { style in
      pattern(over: style).map { pattern in
        """
        <pattern id="p-\(style.rawValue)" width="8" height="8" patternUnits="userSpaceOnUse">\
        <path class="o o-\(style.rawValue)" d="\(pattern)"/></pattern>
        """
      }
    }
    return "<defs>" + (forms + patterns).joined() + "</defs>"
  }

  private static func form(of style: LifecycleTimeline.Style) -> String? {
    switch style {
    case .upward: "M0-6L6.5 5.5H-6.5Z"
    case .downward: "M0 6L6.5-5.5H-6.5Z"
    case .notice: "M0-6.5L6.5 0L0 6.5L-6.5 0Z"
    case .input: "M-5 0A5 5 0 1 1 5 0A5 5 0 1 1-5 0Z"
    case .suppressed: "M-5 0A5 5 0 1 1 5 0A5 5 0 1 1-5 0ZM-3.5 3.5L3.5-3.5"
    case .note: "M-5-6H5V3L0 6.5L-5 3Z"
    case .ended: "M-5-5H5V5H-5Z"
    case .killed: "M-6-3.5L-3.5-6L0-2.5L3.5-6L6-3.5L2.5 0L6 3.5L3.5 6L0 2.5L-3.5 6L-6 3.5L-2.5 0Z"
    default: nil
    }
  }

  static func pattern(over style: LifecycleTimeline.Style) -> String? {
    switch style {
    case .inactive: "M-2 2L2-2M0 8L8 0M6 10L10 6"
    case .background: "M1.5 2H2.5M5.5 6H6.5"
    case .asleep: "M0 2H8M0 6H8"
    case .countdown: "M2 0V8M6 0V8"
    case .paused: "M-2 6L2 10M0 0L8 8M6-2L10 2"
    default: nil
    }
  }

  /// What the legend says about a form.
  static func meaning(of style: LifecycleTimeline.Style) -> String {
    switch style {
    case .active: "active"
    case .inactive: "inactive"
    case .background: "background"
    case .unknown: "unknown"
    case .run: "process"
    case .stay: "stay in the background"
    case .asleep: "machine asleep"
    case .connected: "source connected"
    case .task: "background task"
    case .countdown: "countdown"
    case .fetch: "fetch"
    case .paused: "paused"
    case .observers: "observers"
    case .upward: "upward event"
    case .downward: "downward event"
    case .notice: "notice"
    case .input: "input"
    case .suppressed: "suppressed input"
    case .note: "note"
    case .ended: "end"
    case .killed: "killed"
    case .change: "change"
    }
  }

  /// Characters that are narrower or wider than the others, and their widths as parts of the size
  /// of the font.
  static let letters: KeyValuePairs = [
    "ijl.,:;|!' ·": 0.42, "ABCDEFGHIJKLNOPQRSTUVXYZ+<>=~": 0.84, "mwMW%@→…–": 1,
  ]
  /// The widths of the others, up to the last character of a range.
  static let ranges: [(last: UInt32, width: Double)] = [
    (0x7E, 0.66), (0x4FF, 0.9), (0x10FFFF, 1.4),
  ]

  private static let widths = Dictionary(
    uniqueKeysWithValues: letters.flatMap { letters, width in
      letters.unicodeScalars.map { ($0, width) }
    }
  )

  /// A width that the text does not exceed in any common font.
  ///
  /// - Parameter size: The size of the font; by default that of labels.
  static func width(_ text: String, size: Double = PictureSize.shared.font) -> Double {
    SafeText.visible(text).unicodeScalars.reduce(0) { sum, scalar in
      sum + (widths[scalar] ?? ranges.first { scalar.value <= $0.last }?.width ?? 0)
    } * size
  }

  /// Returns the text, cut off with `…` if it is wider.
  static func fitted(_ text: String, width: Double, size: Double) -> String {
    if Self.width(text, size: size) <= width { return text }
    var result = ""
    var sum = size
    for character in text {
      sum += Self.width(String(character), size: size)
      if sum > width { break }
      result.append(character)
    }
    return result.isEmpty ? "" : result + "…"
  }
}

/// The colors of a picture, in a light and in a dark scheme: those of Okabe and Ito, which people
/// tell apart whatever colors they see, darkened or lightened where they would be too faint.
struct Palette {
  /// A fill, and the color of the text on it.
  struct Fill {
    var fill: String
    var ink: String
  }

  var background: String
  var band: String
  var text: String
  var note: String
  var line: String
  var focus: String
  var fills: [LifecycleTimeline.Style: Fill]
  var marks: [LifecycleTimeline.Style: String]

  static let light = Palette(
    background: "#ffffff",
    band: "#f5f5f7",
    text: "#1d1d1f",
    note: "#63636a",
    line: "#d2d2d7",
    focus: "#b04a00",
    fills: [
      .active: Fill(fill: "#0072b2", ink: "#ffffff"),
      .inactive: Fill(fill: "#a6d8f5", ink: "#0b2f47"),
      .background: Fill(fill: "#dcdee4", ink: "#2c2d33"),
      .unknown: Fill(fill: "#ffffff", ink: "#55555c"),
      .run: Fill(fill: "#ebebf0", ink: "#1d1d1f"),
      .stay: Fill(fill: "#f2b33d", ink: "#1d1d1f"),
      .asleep: Fill(fill: "#dfa6c7", ink: "#1d1d1f"),
      .connected: Fill(fill: "#9fc5e8", ink: "#1d1d1f"),
      .task: Fill(fill: "#4cc2a0", ink: "#10211c"),
      .countdown: Fill(fill: "#bfe8dc", ink: "#10211c"),
      .fetch: Fill(fill: "#f3e96b", ink: "#1d1d1f"),
      .paused: Fill(fill: "#f5f5f7", ink: "#55555c"),
      .observers: Fill(fill: "#c3dcf1", ink: "#1d1d1f"),
    ],
    marks: [
      .upward: "#0072b2", .downward: "#b04a00", .notice: "#9b3f77", .input: "#0072b2",
      .suppressed: "#b04a00", .note: "#007a59", .ended: "#1d1d1f", .killed: "#c03000",
      .change: "#63636a",
    ]
  )

  static let dark = Palette(
    background: "#1b1b1e",
    band: "#252528",
    text: "#ededf0",
    note: "#a8a8b0",
    line: "#46464c",
    focus: "#ffb477",
    fills: [
      .active: Fill(fill: "#56b4e9", ink: "#0c1a24"),
      .inactive: Fill(fill: "#1d5f8c", ink: "#ffffff"),
      .background: Fill(fill: "#3d3e46", ink: "#f2f2f5"),
      .unknown: Fill(fill: "#1b1b1e", ink: "#b4b4bc"),
      .run: Fill(fill: "#34353b", ink: "#ededf0"),
      .stay: Fill(fill: "#e69f00", ink: "#1b1407"),
      .asleep: Fill(fill: "#cc79a7", ink: "#1f0d18"),
      .connected: Fill(fill: "#3f6d96", ink: "#ffffff"),
      .task: Fill(fill: "#00a67a", ink: "#04140f"),
      .countdown: Fill(fill: "#1d6b56", ink: "#ffffff"),
      .fetch: Fill(fill: "#f0e442", ink: "#1d1b05"),
      .paused: Fill(fill: "#252528", ink: "#b4b4bc"),
      .observers: Fill(fill: "#2d5275", ink: "#ffffff"),
    ],
    marks: [
      .upward: "#6cb4ff", .downward: "#ffa057", .notice: "#e59cc6", .input: "#6cb4ff",
      .suppressed: "#ffa057", .note: "#4fd0a9", .ended: "#ededf0", .killed: "#ff8a66",
      .change: "#a8a8b0",
    ]
  )

  /// The rules of a style sheet. Without custom properties, which some programs that draw SVG
  /// ignore.
  var rules: String {
    var rules = [
      ".bg{fill:\(background)}", ".band{fill:\(band)}", ".t{fill:\(text)}", ".n{fill:\(note)}",
      ".g{stroke:\(line)}", ".pill{fill:\(background);stroke:\(note)}",
    ]
    for style in LifecycleTimeline.Style.allCases {
      if let fill = fills[style] {
        let name = style.rawValue
        rules.append(".f-\(name){fill:\(fill.fill)}.o-\(name){stroke:\(fill.ink)}")
        rules.append(".i-\(name){fill:\(fill.ink);stroke:\(fill.fill)}")
      }
      if let mark = marks[style] {
        rules.append(".m-\(style.rawValue){fill:\(mark);stroke:\(background)}")
      }
    }
    rules.append(".pill-suppressed{stroke:\(marks[.suppressed] ?? text)}")
    rules.append(".m-suppressed{fill:\(background);stroke:\(marks[.suppressed] ?? text)}")
    return rules.joined(separator: "\n")
  }
}
