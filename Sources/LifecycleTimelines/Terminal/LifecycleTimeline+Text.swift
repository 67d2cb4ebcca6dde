extension LifecycleTimeline {
  /// Returns the timeline as text for a terminal, such as:
  ///
  /// ```text
  /// rental · 2 min 10 s · 1 run · 9 records
  /// 2026-01-15 09:26:40 – 09:28:50 UTC
  ///
  /// Process        rental 4711─────────────────────────■
  /// Phase          █████████████░░░░░░░░░░░░░░░████████
  /// Events         3            2              2
  /// In background               ═════ 45 s ═════
  ///                ├─────────┴─────────┴────────┴──────
  ///                0         30 s      1 min    1 min 30 s
  /// ```
  ///
  /// No line is longer than the width. With less than 40 columns, the name of a lane stands above
  /// it. What happened in the time of one column is drawn as one character: that of the phase that
  /// lasted longest, the number of marks, `#` for ten or more, or `X` if one of several inputs is
  /// suppressed. The reason of a suppressed input stands beside it or below, where there is room.
  /// Control characters in names are written as numbers.
  ///
  /// - Parameters:
  ///   - columns: The width of the terminal, from 1 to 300; other widths are taken as the nearest
  ///     of these.
  ///   - usesColor: Whether to use colors. Without them the characters alone tell the forms in a
  ///     lane apart.
  /// - Complexity: O(*n*) in the number of records.
  public func text(columns: Int, usesColor: Bool) -> String {
    TerminalDrawing(self, columns: min(max(columns, 1), 300), usesColor: usesColor).text
  }
}
