/// The fields of a file such as `/proc/self/status`: a name, a colon and a value in each line.
public struct StatusFields {
  private let lines: [Substring]

  public init(_ text: String) {
    // By bytes: tests read such files every millisecond, and characters take ten times as long.
    lines = text.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
  }

  /// The value of the first field of that name, without the white space before it.
  public subscript(name: String) -> Substring? {
    let key = "\(name):"
    return lines.first { $0.utf8.starts(with: key.utf8) }?
      .dropFirst(key.count)
      .drop { $0 == "\t" || $0 == " " }
  }
}
