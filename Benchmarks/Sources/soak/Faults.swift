import ArgumentParser
import Dispatch
import Foundation
import LifecycleCore
import Synchronization

/// Counts the checks, writes what is wrong to standard error at once, and ends the process after a
/// few faults.
final class Faults: Sendable {
  private struct State {
    var subject = ""
    var count = 0
  }

  private static let limit = 10

  private let deliberate: DeliberateFault?
  private let state = Mutex(State())
  /// The number of checks of each guarantee, at its number.
  private let checkCounts = (0...Guarantee.allCases.count).map { _ in SharedCount() }

  init(deliberate: DeliberateFault? = nil) {
    self.deliberate = deliberate
  }

  var checks: Int { checkCounts.reduce(0) { $0 + $1.value } }
  var isEmpty: Bool { state.withLock { $0.count == 0 } }

  /// The number of checks of each guarantee: `G1 120, G2 30`.
  var summary: String {
    Guarantee.allCases.map { "\($0.name) \(checkCounts[$0.rawValue].value)" }
      .joined(separator: ", ")
  }

  /// Returns a Boolean value that indicates whether the soak makes this fault on purpose.
  func makes(_ fault: DeliberateFault) -> Bool { deliberate == fault }

  /// Names the subject of the checks from now on.
  func begin(_ subject: String) {
    state.withLock { $0.subject = subject }
  }

  func check(_ guarantee: Guarantee, _ condition: Bool, _ message: @autoclosure () -> String) {
    checkCounts[guarantee.rawValue].add(1)
    if condition { return }
    let text = message()
    state.withLock { state in
      writeToStandardError("\(state.subject): \(guarantee.name): \(text)\n")
      state.count += 1
      if state.count == Self.limit {
        writeToStandardError("Ended after \(state.count) faults.\n")
        _exit(1)
      }
    }
  }

  /// Checks that each guarantee has been checked.
  func checkCoverage() {
    for guarantee in Guarantee.allCases where checkCounts[guarantee.rawValue].value == 0 {
      check(.leftovers, false, "\(guarantee.name) was never checked")
    }
  }
}

func writeToStandardError(_ text: String) {
  FileHandle.standardError.write(Data(text.utf8))
}

extension Faults {
  /// Returns the event as it appears to an observer: nil if the observer does not receive it.
  func altered(_ event: LifecycleEvent) -> LifecycleEvent? {
    var altered = event
    switch event.kind {
    case .didFinishLaunching where makes(.path):
      altered.phase = .active
    case .willEnterForeground where makes(.stay) && event.backgroundStay != nil:
      let later = event.instant.advanced(by: .seconds(1))
      altered.backgroundStay = BackgroundStay(from: event.instant, to: later)
    case _ where makes(.gap) && event.sequenceNumber % 10 == 0:
      return nil
    default: break
    }
    return altered
  }

  /// Makes a call that the bus must not make.
  func disturb(_ delivery: DeliveryCheck) {
    if makes(.overlap) { delivery.during { delivery.during {} } }
    if makes(.actor) {
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) { delivery.during {} }
      group.wait()
    }
  }
}

/// A guarantee of the library, by its number in the documentation, or a property of the whole run.
enum Guarantee: Int, CaseIterable {
  case legalPaths = 1
  case noDoubleFire
  case oneOrder
  case orderInsideAnEvent
  case joining
  case leaving
  case whereObserversRun
  case theEnd
  case scopes
  case backPressure
  case time
  case sameObserverAgain
  /// The promises of countdowns, operators, and tasks that wait.
  case features
  /// The leftovers of an epoch: memory, threads, descriptors, objects, and things that wait.
  case leftovers

  /// The name that reports show: `G1` to `G12`, `features`, and `leftovers`.
  var name: String {
    switch self {
    case .features: "features"
    case .leftovers: "leftovers"
    default: "G\(rawValue)"
    }
  }
}

/// A fault that the soak makes on purpose, to show that it notices it.
///
/// Each one changes the apparent behavior of the library, at the place where the soak calls the
/// library or is called by it. The checks themselves are not changed.
enum DeliberateFault: String, CaseIterable, ExpressibleByArgument {
  /// The phase after an event is the wrong one (G1).
  case path
  /// A suppressed input is not published (G2).
  case suppression
  /// An observer does not receive one of the events (G3).
  case gap
  /// The first observer appears to be the last one (G4).
  case order
  /// An observer receives the event in whose delivery it was registered (G5).
  case joining
  /// An observer is called after it was cancelled (G6).
  case leaving
  /// The closure of a cancelled observer is kept (G6).
  case closure
  /// Two observers of a bus run at once (G7).
  case overlap
  /// An observer of the main actor runs elsewhere (G7).
  case actor
  /// A stream does not finish (G8).
  case completion
  /// A scope cancels in order of insertion (G9).
  case scope
  /// A value that was not requested yet is lost (G10).
  case backlog
  /// A stay is too long (G11).
  case stay
  /// A replaced observer is called beside the new one (G12).
  case replacement
  /// An object that an observer captures is never released.
  case object
  /// Each epoch leaves memory.
  case memory
  /// Each epoch leaves a descriptor.
  case descriptor
  /// Each epoch leaves a thread.
  case thread
  /// An epoch does not end.
  case wait
}
