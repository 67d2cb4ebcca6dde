extension FlightRecording.Process {
  /// Returns the name of the program at a path: its last component.
  package static func lastComponent(of path: String) -> String {
    path.utf8.split(separator: UInt8(ascii: "/")).last.map { String($0) ?? path } ?? ""
  }
}
