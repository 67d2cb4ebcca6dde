import Foundation

/// The paper that a plot is drawn for: light or dark.
enum Appearance: CaseIterable {
  case light
  case dark

  /// The end of the names of the plot's files, before the extension.
  var suffix: String { self == .light ? "" : "~dark" }

  /// The colour of the paper, as red, green and blue up to 255.
  var paper: [Double] { self == .light ? [255, 255, 255] : [27, 27, 29] }

  /// The colour of words and axes.
  var ink: [Double] { self == .light ? [0, 0, 0] : [237, 237, 240] }

  /// The colour of the grid.
  var grid: [Double] { self == .light ? [221, 221, 221] : [74, 74, 79] }

  /// The colour of a peer's lines.
  func colour(of peer: Peer) -> [Double] { self == .light ? peer.colour : peer.colourOnDark }

  /// The greatest share of the paper's colour in the colour of a peer's form.
  var greatestPaleness: Double { self == .light ? 0.6 : 0.45 }

  /// A colour that is mixed with the paper's, in the notation of gnuplot and the web.
  func text(_ colour: [Double], paleness: Double = 0) -> String {
    let channels = zip(colour, paper).map { Int($0 + ($1 - $0) * paleness) }
    return "#" + channels.map { String(format: "%02x", $0) }.joined()
  }
}
