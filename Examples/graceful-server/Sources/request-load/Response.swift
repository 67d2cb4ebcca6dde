/// A complete response, as far as the load needs it.
struct Response {
  let status: Int
  let body: String
  /// A Boolean value that indicates whether the connection takes no other request.
  let isLast: Bool

  /// Returns nil if the response is not complete.
  init?(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
    let lines = text[..<end.lowerBound].split(separator: "\r\n")
    let fields = lines.dropFirst().reduce(into: [String: String]()) { fields, line in
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { return }
      fields[parts[0].lowercased()] = parts[1].trimmingPrefix(" ").lowercased()
    }
    guard
      let length = fields["content-length"].flatMap(Int.init),
      text[end.upperBound...].utf8.count >= length,
      let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    self.status = status
    body = String(text[end.upperBound...])
    isLast = fields["connection"] == "close"
  }
}
