public import ReactiveLifecycle

extension LifecycleTimeline {
  /// Returns one line for a record, for a list that grows as records are made:
  ///
  /// ```text
  ///   +90.250 ▲ willEnterForeground (background → inactive, away 90 s, from signals)
  /// ```
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - start: The instant that the time in the line begins at.
  ///   - sources: The names of the sources by their numbers.
  ///   - columns: The width of the terminal, after which the line is cut off; nil to write all of it.
  ///   - usesColor: Whether to use colors.
  public static func line(
    for record: FlightRecord,
    since start: LifecycleInstant,
    sources: [Int: LifecycleSourceName] = [:],
    columns: Int? = nil,
    usesColor: Bool = false
  ) -> String {
    let elapsed = TimeText.elapsed((record.instant.continuous - start.continuous) / .seconds(1))
    let padding = String(repeating: " ", count: max(10 - elapsed.count, 0))
    let style = TerminalStyle(Style(of: record.content))
    let detail = RecordText.detail(of: record.content) { id in
      id == 0 ? "program" : sources[id]?.rawValue ?? "source \(id)"
    }
    let head = padding + elapsed
    let room = columns.map { max($0 - head.count - 3, 0) } ?? .max
    if room == 0 { return SafeText.fitted(head, columns: columns ?? .max) }
    let symbol = style.text(usesColor: usesColor)
    return "\(head) \(symbol) \(SafeText.fitted(detail, columns: room))"
  }
}
