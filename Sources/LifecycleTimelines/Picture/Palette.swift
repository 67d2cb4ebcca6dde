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
      ".g{stroke:\(line)}", ".h{fill:\(line)}", ".pill{fill:\(background);stroke:\(note)}",
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
