/// The parts of pictures that do not depend on a timeline.
enum PictureParts {
  /// With less, the edges of the faintest spans could hardly be seen.
  static let edgeOpacity = 0.7

  /// The style sheet apart from colors.
  static let rules = """
    text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;\
    font-size:12px}
    .s{font-size:11px}.b{font-weight:600}.title{font-size:18px;font-weight:600}
    .l{paint-order:stroke;stroke-width:3px;stroke-linejoin:round;font-size:11px}
    .g{stroke-width:1}.o{fill:none;stroke-opacity:.3}.edge{fill:none;stroke-opacity:\(edgeOpacity)}
    .pill{stroke-width:1}.pill-suppressed{stroke-width:1.5;stroke-dasharray:4 2}\
    .mark{stroke-width:1.5}.dash{stroke-dasharray:3 3}
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

  /// A width that the text does not exceed in any common font.
  ///
  /// - Parameter size: The size of the font.
  static func width(_ text: String, size: Double) -> Double {
    SafeText.visible(text).unicodeScalars.reduce(0) { $0 + width($1) } * size
  }

  private static func width(_ scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "i", "j", "l", ".", ",", ":", ";", "|", "!", "'", " ", "·": 0.42
    case "m", "w", "M", "W", "%", "@", "→", "…", "–": 1
    case "A"..."Z", "+", "<", ">", "=", "~": 0.84
    case "\u{20}"..."\u{7E}": 0.66
    case "\u{A0}"..."\u{4FF}": 0.9
    default: 1.4
    }
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
