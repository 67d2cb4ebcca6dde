import ArgumentParser
import Foundation
import LifecycleFlightRecording
import TestSupport

/// Writes the recordings of random lives, which are the same each time: `life-1.jsonl`, ….
struct Fleet: ParsableCommand {
  @Argument(help: "The path of the folder, which is created.")
  var folder: String

  @Option(help: "The number of lives.")
  var lives: UInt64 = 10_000

  @Option(help: "The least number of records of each life.")
  var records = 95

  func run() throws {
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true
    )
    for seed in 1...lives {
      let life = FlightRecording.randomLife(seed: seed, recordCount: records)
      let file = URL(filePath: "\(folder)/life-\(seed).jsonl")
      try Data(life.jsonLines).write(to: file)
    }
  }
}
