@testable import LifecycleTesting

extension FuzzTarget {
  /// Two texts that a zero separates: the expected transcript and the actual one.
  static let transcript = FuzzTarget("transcript") { bytes in
    let texts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
      .map { SnapshotText(String(decoding: $0, as: UTF8.self)) }
    guard texts.count == 2 else { return nil }
    guard SnapshotText(texts[0].text) == texts[0] else { return "the text is another one" }
    let failure = InlineSnapshot(texts[0]).failure(of: texts[1])
    guard (failure == nil) == (texts[0] == texts[1]) else { return "failure: \(failure ?? "none")" }
    guard failure != nil, !texts[0].isEmpty else { return nil }
    let difference = texts[1].difference(from: texts[0])
    // The lines that differ are there. By bytes: they may begin with a combining character.
    let isShown = ["\u{2212} ", "+ "].contains { difference.utf8.firstRange(of: $0.utf8) != nil }
    return texts[0].lines.isEmpty || isShown ? nil : "no difference is shown: \(difference)"
  }
}
