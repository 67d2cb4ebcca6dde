import Foundation
import Synchronization

/// Writes what is wrong to standard error at once, and ends the process after a few faults.
final class Faults: Sendable {
  private struct State {
    var subject = ""
    var count = 0
  }

  private static let limit = 10

  private let state = Mutex(State())
  private let checkCount = Atomic(0)

  var checks: Int { checkCount.load(ordering: .relaxed) }
  var isEmpty: Bool { state.withLock { $0.count == 0 } }

  /// Names the subject of the checks from now on.
  func begin(_ subject: String) {
    state.withLock { $0.subject = subject }
  }

  func check(_ condition: Bool, _ message: @autoclosure () -> String) {
    checkCount.add(1, ordering: .relaxed)
    if condition { return }
    let text = message()
    state.withLock { state in
      writeToStandardError("\(state.subject): \(text)\n")
      state.count += 1
      if state.count == Self.limit {
        writeToStandardError("Ended after \(state.count) faults.\n")
        _exit(1)
      }
    }
  }
}

func writeToStandardError(_ text: String) {
  FileHandle.standardError.write(Data(text.utf8))
}

/// The number of objects that are alive.
final class Census: Sendable {
  private let count = Atomic(0)

  var living: Int { count.load(ordering: .relaxed) }

  func add(_ difference: Int) { count.add(difference, ordering: .relaxed) }
}

/// An object that an observer captures.
final class Canary: Sendable {
  private let census: Census

  init(_ census: Census) {
    self.census = census
    census.add(1)
  }

  deinit { census.add(-1) }
}
