import CustomDump
import ReactiveLifecycle
import Testing

@testable import LifecycleBackgroundWork

/// Every sequence of what tasks and the host may do.
@Suite("Background task machine, every input sequence")
struct BackgroundTaskMachineTests {
  enum Step: CaseIterable {
    case begin, endFirst, endLast, endForeign, grant, refuse, expire, expireOther, next, finish
  }

  private static let longest = 6

  @Test("Up to six inputs keep the rules")
  func everySequence() {
    var search = Search()
    search.explore(BackgroundTaskMachine(), Oracle(), depth: 1)
    expectNoDifference(search.breaches, [])
    #expect(search.sequences > 5_000)
    #expect(search.expirations > 500)
    #expect(search.returned > 500)
  }

  /// What somebody may know who keeps a list of tasks and notes what the host was told.
  struct Oracle {
    /// Those that are granted, the oldest first.
    var tasks: [Int] = []
    var lastTask = 0
    var lastRequest = 0
    /// The host was asked, and has not answered.
    var isAsked = false
    /// What the host has granted and not got back.
    var held: Int?
    var lastGrant = 0
    var isTimeUp = false
    var haveHandlersRun = false

    /// Gives the grant back, if there is one, and the machine says so.
    mutating func gives(_ action: BackgroundTaskMachine.Action?) -> Bool {
      defer { held = nil }
      return action == held.map { .endGrant(.init(rawValue: $0)) }
    }
  }

  private struct Search {
    var path: [Step] = []
    var breaches: [String] = []
    var sequences = 0
    var expirations = 0
    var returned = 0

    mutating func explore(_ machine: BackgroundTaskMachine, _ oracle: Oracle, depth: Int) {
      for step in Step.allCases {
        var (after, known) = (machine, oracle)
        path.append(step)
        defer { path.removeLast() }
        let breach: String?
        switch perform(step, &after, &known) {
        case .impossible: continue
        case .kept: breach = after.grantedTasks == known.tasks ? nil : "shares the grant"
        case .broken(let rule): breach = rule
        }
        sequences += 1
        if let breach {
          if breaches.count < 5 { breaches.append("\(breach): \(path)") }
        } else if depth < longest {
          explore(after, known, depth: depth + 1)
        }
      }
    }

    private enum Outcome {
      /// Nobody does that now.
      case impossible
      case kept
      case broken(String)
    }

    private func check(_ isKept: Bool, _ rule: String) -> Outcome {
      isKept ? .kept : .broken(rule)
    }

    private mutating func perform(
      _ step: Step,
      _ machine: inout BackgroundTaskMachine,
      _ known: inout Oracle
    ) -> Outcome {
      switch step {
      case .begin:
        let (task, action) = machine.begin()
        known.lastTask += 1
        guard task == known.lastTask else { return .broken("each task has a number") }
        guard !known.isTimeUp else { return check(action == nil, "no grant while time is up") }
        known.tasks.append(task)
        guard !known.isAsked, known.held == nil else {
          return check(action == nil, "one grant for all")
        }
        known.lastRequest += 1
        known.isAsked = true
        return check(action == .requestGrant(known.lastRequest), "the first one asks")
      case .endFirst, .endLast, .endForeign:
        let task = step == .endFirst ? known.tasks.first : known.tasks.last
        if step == .endForeign { return check(machine.end(99) == nil, "knows its tasks") }
        guard let task else { return .impossible }
        known.tasks.removeAll { $0 == task }
        let action = machine.end(task)
        guard known.tasks.isEmpty, !known.isTimeUp else {
          return check(action == nil, "held while somebody needs it, or is told of its end")
        }
        if known.held != nil { returned += 1 }
        return check(known.gives(action), "given back after the last one")
      case .grant, .refuse:
        guard known.isAsked else { return .impossible }
        known.isAsked = false
        if step == .grant {
          known.lastGrant += 1
          known.held = known.lastGrant
        }
        let action = machine.granted(known.held.map { .init(rawValue: $0) })
        if known.isTimeUp {
          guard known.haveHandlersRun else { return check(action == nil, "handlers come first") }
          known.isTimeUp = false
          return check(known.gives(action), "given back after the handlers")
        }
        if step == .refuse { known.tasks = [] }
        guard known.tasks.isEmpty else { return check(action == nil, "held") }
        return check(known.gives(action), "given back if nobody needs it any more")
      case .expire, .expireOther:
        let request = step == .expire ? known.lastRequest : known.lastRequest - 1
        let isHeeded =
          step == .expire && (known.isAsked || known.held != nil) && !known.isTimeUp
        if isHeeded {
          expirations += 1
          known.isTimeUp = true
          known.haveHandlersRun = false
        }
        return check(machine.expire(request) == isHeeded, "time is up once, for what is granted")
      case .next:
        guard known.isTimeUp, !known.haveHandlersRun, let first = known.tasks.first else {
          return .impossible
        }
        known.tasks.removeFirst()
        return check(machine.nextExpired() == first, "told in the order of their beginnings")
      case .finish:
        guard known.isTimeUp, !known.haveHandlersRun, known.tasks.isEmpty else {
          return .impossible
        }
        guard machine.nextExpired() == nil else { return .broken("nobody is left") }
        known.haveHandlersRun = true
        let action = machine.finishExpiring()
        if !known.isAsked { known.isTimeUp = false }
        return check(known.gives(action), "given back after the handlers")
      }
    }
  }
}
