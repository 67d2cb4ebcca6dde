import Foundation
import TestSupport

/// What this process holds of the system now.
func currentResources() -> ProbeLine.Content {
  .resources(
    descriptors: entryCount(of: "/proc/self/fd"),
    threads: entryCount(of: "/proc/self/task")
  )
}

private func entryCount(of directory: String) -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: directory).count) ?? -1
}
