/// Why there is no report, or no whole one.
enum CompareError: Error, CustomStringConvertible {
  case peerMissing(String, folder: String)
  case peerFoundMismatch(String)
  case peerFailed(String, reason: String)
  case outputUnreadable(String, reason: String)
  case rowMissing(String, target: String)
  case gnuplotMissing
  case gnuplotFailed(String, reason: String)
  case notWritable(String, reason: String)

  /// What the program exits with, as `sysexits.h` has it; 1 for a failed check.
  var exitCode: Int32 {
    switch self {
    case .peerFoundMismatch: 1
    case .peerMissing, .gnuplotMissing: 69
    case .peerFailed, .outputUnreadable, .rowMissing, .gnuplotFailed: 70
    case .notWritable: 74
    }
  }

  var description: String {
    switch self {
    case .peerMissing(let peer, let folder):
      "\(folder) does not contain \(peer). Build all peers: swift build -c release."
    case .peerFoundMismatch(let peer):
      "\(peer) called an observer the wrong number of times (see above). Its times are meaningless."
    case .peerFailed(let peer, let reason):
      "\(peer) failed: \(reason). Run it alone to see why."
    case .outputUnreadable(let peer, let reason):
      "The output of \(peer) is not what BenchmarkOutput describes: \(reason)."
    case .rowMissing(let row, let target):
      """
      No peer measured \(row), which the target "\(target)" needs. Correct Target+All.swift, or add \
      the row to its peer.
      """
    case .gnuplotMissing:
      """
      gnuplot is not installed, so no plots are drawn; everything else is. Install it (Debian: \
      apt-get install gnuplot-nox; macOS: brew install gnuplot) and run this again, or run gnuplot \
      on the .gp files in the report.
      """
    case .gnuplotFailed(let script, let reason):
      "gnuplot could not draw \(script): \(reason)."
    case .notWritable(let path, let reason):
      "Can't write \(path) (\(reason)). Choose another folder with --output."
    }
  }
}
