import Glibc

/// Why there is no measurement.
enum LatencyError: Error, CustomStringConvertible {
  /// A system call failed.
  case system(String, CInt)
  /// The system does not tell what is to be measured.
  case missing(String, String)
  /// A child did something else than it must.
  case wrong(Peer, round: Int, expected: String, actual: String)

  var description: String {
    switch self {
    case .system(let call, let error):
      "\(call) failed: \(String(cString: strerror(error))) (errno \(error))"
    case .missing(let what, let needed):
      "Cannot read \(what). This needs \(needed); use --idle-seconds 0 to skip this."
    case .wrong(let peer, let round, let expected, let actual):
      "\(peer.title), round \(round): expected \(expected), got \(actual). "
        + "The measurement is invalid. Run it again; if this happens again, look for a defect."
    }
  }

  /// What the program exits with.
  var exitCode: CInt {
    switch self {
    case .system, .missing: 74
    case .wrong: 1
    }
  }
}
