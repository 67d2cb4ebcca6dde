import ArgumentParser
import Foundation
import LifecycleSystem
import ReactiveLifecycle
import TestSupport

/// Connects each source of the system while ever more descriptors may be opened, and prints what
/// comes of it, and how many descriptors are in use meanwhile and after that.
struct DescriptorShortage: ParsableCommand {
  private static let most = 24

  func run() throws {
    let spare = try Self.fillDescriptors()
    for source: any SystemSource in [
      .systemClock(), .processPauses(), .memoryPressure(),
    ] {
      for count in 0...Self.most {
        for descriptor in spare.prefix(count) { close(descriptor) }
        let result = Self.connect(source)
        let after = Self.freeCount(of: spare.prefix(count))
        for descriptor in spare.prefix(count) { dup2(0, descriptor) }
        emit(.note("\(source.name) \(count): \(result); after that, \(count - after) are open"))
      }
    }
  }

  private static func connect(_ source: any SystemSource) -> String {
    let bus = NonisolatedLifecycleBus()
    do {
      let before = openCount
      let connection = try bus.connect(source)
      let during = openCount
      connection.cancel()
      return "\(during - before) opened"
    } catch {
      return "\(error)"
    }
  }

  /// The number of descriptors below the limit that are open.
  private static var openCount: Int { (0..<limit).count { fcntl($0, F_GETFD) >= 0 } }

  private static func freeCount(of descriptors: ArraySlice<CInt>) -> Int {
    descriptors.count { fcntl($0, F_GETFD) < 0 }
  }

  private static let limit: CInt = 64

  /// Opens all descriptors that the process may have, and returns those that may be closed.
  private static func fillDescriptors() throws -> [CInt] {
    setSoftLimit(RLIMIT_NOFILE, to: rlim_t(limit))
    var spare: [CInt] = []
    while case let descriptor = dup(0), descriptor >= 0 { spare.append(descriptor) }
    return spare
  }
}
