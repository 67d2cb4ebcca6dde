import Foundation

/// Why the counts could not be checked.
struct Failure: Error {
  let message: String
  let status: Int32

  /// The program's exit statuses, from `sysexits.h`.
  enum Kind: Int32 {
    case check = 1
    case usage = 64
    case missingTool = 69
    case internalError = 70
    case inputOutput = 74
  }

  init(_ message: String, _ kind: Kind) {
    self.message = message
    status = kind.rawValue
  }
}

func writeToStandardError(_ text: String) {
  FileHandle.standardError.write(Data("\(text)\n".utf8))
}
