import Foundation
import ProgramReporting

/// The form of the text on standard output.
struct OutputStyle {
  /// The width of a line on a terminal; nil elsewhere.
  let columns: Int?
  let usesColor: Bool

  /// The form that standard output and the environment ask for: colors on a terminal alone, and not
  /// with `NO_COLOR` (https://no-color.org) or on a terminal that knows none.
  static var current: Self {
    let terminal = Terminal(descriptor: STDOUT_FILENO)
    return Self(columns: terminal?.columns, usesColor: terminal != nil && !wantsNoColor)
  }

  private static let wantsNoColor: Bool = {
    let environment = ProcessInfo.processInfo.environment
    return environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
  }()
}
