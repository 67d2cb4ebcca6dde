import EventCounts
import Foundation

/// Where the saved counts are.
struct ThresholdsFile {
  let path: String

  /// Without a path, the file is found from the repository's root and from `Benchmarks`.
  init(path: String?) {
    let isInRoot = FileManager.default.fileExists(atPath: "Benchmarks/Package.swift")
    self.path = path ?? (isInRoot ? "Benchmarks/Thresholds.json" : "Thresholds.json")
  }

  func read() throws -> Thresholds {
    let json: Data
    do {
      json = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw Failure(
        "\(path) cannot be read. Run in the root of the repository, or specify --thresholds, "
          + "or --save all. \(error.localizedDescription)",
        .inputOutput
      )
    }
    do {
      return try Thresholds(json: json)
    } catch {
      throw Failure(
        "\(path) is not a file of saved counts. Save them with --save. \(error)",
        .inputOutput
      )
    }
  }

  func write(_ thresholds: Thresholds) throws {
    do {
      try thresholds.json().write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw Failure("\(path) cannot be written. \(error.localizedDescription)", .inputOutput)
    }
  }
}
