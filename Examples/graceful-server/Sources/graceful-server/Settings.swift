import Foundation
import Synchronization

/// The configuration of the server, as its file has it.
struct Settings: Codable, Equatable, Sendable {
  /// The text of the response.
  var greeting = "Hello"
}

/// The settings in use, and the file that they are read from.
final class SettingsFile: Sendable {
  /// The reason why the file can't be used.
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ path: String, _ error: any Error) {
      let reason =
        switch error {
        case DecodingError.typeMismatch(_, let context),
          DecodingError.valueNotFound(_, let context):
          (context.codingPath.map(\.stringValue) + [context.debugDescription])
            .joined(separator: ": ")
        case DecodingError.keyNotFound(let key, _): "\(key.stringValue) is missing"
        case is DecodingError: "it is not JSON, or an escape is half of a surrogate pair"
        default:
          ((error as? CocoaError)?.underlying as? POSIXError).map {
            String(cString: strerror($0.code.rawValue))
          } ?? error.localizedDescription
        }
      description = "The settings \(path) can't be used: \(reason)"
    }
  }

  private let path: String?
  private let settings: Mutex<Settings>

  /// - Parameter path: A JSON file; nil for the default settings.
  init(path: String?) throws(Failure) {
    self.path = path
    settings = Mutex(try Self.read(path))
  }

  /// The settings in use. Thread-safe.
  var current: Settings { settings.withLock(\.self) }

  /// Reads the file again. If that fails, the settings remain as they are.
  func reload() throws(Failure) {
    let new = try Self.read(path)
    settings.withLock { $0 = new }
  }

  private static func read(_ path: String?) throws(Failure) -> Settings {
    guard let path else { return Settings() }
    do {
      return try JSONDecoder().decode(
        Settings.self,
        from: Data(contentsOf: URL(filePath: path, directoryHint: .notDirectory))
      )
    } catch {
      throw Failure(path, error)
    }
  }
}
