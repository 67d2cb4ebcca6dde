/// The lines of a recording that is written piece by piece, elsewhere than to a file of its own.
package struct FlightLines {
  private let coder = FlightLineCoder()

  package init() {}

  /// Returns the line that begins a recording, as JSON.
  package func head(_ process: FlightRecording.Process, _ start: FlightRecording.Start) -> String {
    text(of: [.head(process, start)])
  }

  /// Returns the lines of records, as JSON.
  ///
  /// - Parameter number: The number of the first one; 0 is the first one ever recorded.
  package func text(of records: [FlightRecord], from number: Int) -> String {
    text(of: records.enumerated().map { .record($0.element, number: number + $0.offset) })
  }

  private func text(of lines: [FlightLine]) -> String {
    var bytes: [UInt8] = []
    for line in lines { coder.append(line, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
