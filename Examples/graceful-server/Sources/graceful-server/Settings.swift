import Foundation
import Synchronization

/// The configuration of the server, as its file has it.
struct Settings: Codable, Equatable, Sendable {
  /// The text of the response.
  var greeting = "Hello"
}

/// The settings in use, and the file that they are read from.
final class SettingsFile: Sendable {
  private let path: String?
  private let settings: Mutex<Settings>

  /// - Parameter path: A JSON file; nil for the default settings.
  /// - Throws: The error of a file that cannot be read.
  init(path: String?) throws {
    self.path = path
    settings = Mutex(try Self.read(path))
  }

  /// The settings in use. Thread-safe.
  var current: Settings { settings.withLock(\.self) }

  /// Reads the file again. If that fails, the settings remain as they are.
  func reload() throws {
    let new = try Self.read(path)
    settings.withLock { $0 = new }
  }

  private static func read(_ path: String?) throws -> Settings {
    guard let path else { return Settings() }
    return try JSONDecoder().decode(
      Settings.self,
      from: Data(contentsOf: URL(filePath: path, directoryHint: .notDirectory))
    )
  }
}
