extension LifecycleTimeline {
  /// The colors of a picture.
  public enum ColorScheme: Sendable, Hashable {
    /// Those that the viewer prefers: `prefers-color-scheme`.
    case automatic
    case light
    case dark
  }

  /// A self-contained picture, 960 points wide, in the colors that the viewer prefers.
  ///
  /// - Complexity: O(*n*) in the number of records.
  public var svg: String { svg() }

  /// Returns a self-contained picture: SVG without scripts and external references.
  ///
  /// Each mark and span has a title, which browsers show as a tooltip. What is closer together than
  /// can be told apart is drawn as one mark with a count, so the size of the picture does not grow
  /// with the recording. Of spans that overlap, three have a row of their own, and the others share
  /// one, as one span with a count.
  ///
  /// - Parameters:
  ///   - width: The width in points, from 320 to 20,000; other widths are taken as the nearest of
  ///     these.
  ///   - colorScheme: The colors.
  /// - Complexity: O(*n*) in the number of records.
  public func svg(width: Int = 960, colorScheme: ColorScheme = .automatic) -> String {
    let width = min(max(width, 320), 20_000)
    let (content, height) = PictureDrawing.drawn(self, width: width)
    let colors =
      switch colorScheme {
      case .automatic:
        "\(Palette.light.rules)\n@media (prefers-color-scheme: dark){\n\(Palette.dark.rules)\n}"
      case .light: Palette.light.rules
      case .dark: Palette.dark.rules
      }
    let description = lanes.map { "\(SafeText.short($0.name)): \($0.summary)" }
      .joined(separator: "; ")
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" role="img" aria-labelledby="title desc">
      <title id="title">\(SafeText.markup(SafeText.short(title)))</title>
      <desc id="desc">\(SafeText.markup(facts.joined(separator: ", "))). \
      \(SafeText.markup(description)).</desc>
      <style>
      \(PictureParts.rules)
      \(colors)
      </style>
      \(PictureParts.definitions)
      <rect class="bg" width="\(width)" height="\(height)" rx="8"/>
      \(content)</svg>

      """
  }
}

extension LifecycleTimeline.Lane {
  /// The numbers of spans and marks.
  var summary: String {
    let parts = [(spans.count, "span"), (marks.count, "mark")].filter { $0.0 > 0 }
    return parts.map { LifecycleTimeline.count($0.0, $0.1) }.joined(separator: ", ")
  }
}
