import CustomDump
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Every sequence of things that can happen to `repeatWhile`, against rules told in another way.
///
/// After each step the test awaits the lines that the rules say, so that the next step meets a body
/// that has started, or a call that is over. What happens beyond the rules turns up in the lines of
/// a later step, or after the end.
@Suite("Concurrency: repeatWhile, every sequence")
@MainActor
struct RepeatWhileModelTests {
  enum Step: String, CaseIterable, Sendable {
    case arrive, leave, bodyReturns, cleanUpEnds, bodyThrows, cancel, busEnds
  }

  /// The rules.
  private struct Rules {
    private(set) var lines: [String] = []
    private var isActive = false
    /// Whether the phase has been reached and nobody has run for it.
    private var isDue = false
    private var runs = 0
    private var isRunning = false
    private var isCancelled = false
    private var isCallerCancelled = false
    private var hasBusEnded = false
    private(set) var isOver = false

    /// Whether the step can be taken.
    func allows(_ step: Step) -> Bool {
      switch step {
      case .arrive: !isActive && !hasBusEnded
      case .leave: isActive
      case .bodyReturns, .bodyThrows: isRunning
      case .cleanUpEnds: isRunning && isCancelled
      case .cancel: !isCallerCancelled
      case .busEnds: !hasBusEnded
      }
    }

    /// Takes the step. Returns the lines that come of it.
    mutating func take(_ step: Step) -> [String] {
      lines = []
      switch step {
      case .arrive:
        (isActive, isDue) = (true, true)
      case .leave:
        (isActive, isDue) = (false, false)
        cancelBody()
      case .bodyReturns, .cleanUpEnds:
        isRunning = false
        lines.append("\(step) \(runs)")
      case .bodyThrows:
        isRunning = false
        lines.append("\(step) \(runs)")
        end("threw BodyError()")
      case .cancel:
        isCallerCancelled = true
        cancelBody()
      case .busEnds:
        (isActive, isDue, hasBusEnded) = (false, false, true)
        cancelBody()
      }
      if !isRunning && !isOver {
        if isCallerCancelled {
          end("cancelled")
        } else if hasBusEnded {
          end("returned")
        } else if isDue {
          (isDue, isRunning, isCancelled) = (false, true, false)
          runs += 1
          lines.append("start \(runs)")
        }
      }
      return lines
    }

    private mutating func cancelBody() {
      guard isRunning && !isCancelled else { return }
      isCancelled = true
      lines.append("cancel \(runs)")
    }

    private mutating func end(_ outcome: String) {
      isOver = true
      lines.append(outcome)
    }
  }

  /// The real thing.
  private final class Real: Sendable {
    let bus: any LifecycleBusProtocol
    private let repeatWhile:
      @Sendable (@escaping @Sendable () async throws -> Void) async throws -> Void
    let lines = Mailbox<String>()
    private let commands = Mailbox<Step>()
    private let runs = Locked(0)

    init(_ kind: BusKind) {
      switch kind {
      case .mainActor:
        let bus = LifecycleBus(clock: ManualClock())
        self.bus = bus
        repeatWhile = { @MainActor body in
          try await bus.repeatWhile(.atLeast(.active)) {
            MainActor.preconditionIsolated()
            try await body()
          }
        }
      case .nonisolated:
        let bus = NonisolatedLifecycleBus(clock: ManualClock())
        self.bus = bus
        repeatWhile = { body in try await bus.repeatWhile(.atLeast(.active), body) }
      }
    }

    func call() -> Task<Void, Never> {
      Task {
        let result: Result<Void, any Error>
        do {
          result = .success(try await repeatWhile { try await self.body() })
        } catch {
          result = .failure(error)
        }
        lines.send(describe(result))
      }
    }

    private func body() async throws {
      let run = runs.withLock { runs in
        runs += 1
        return runs
      }
      let command = await withTaskCancellationHandler {
        lines.send("start \(run)")
        return await commands.receive()
      } onCancel: {
        lines.send("cancel \(run)")
      }
      lines.send("\(command) \(run)")
      switch command {
      case .bodyThrows: throw BodyError()
      case .cleanUpEnds: throw CancellationError()
      default: return
      }
    }

    func take(_ step: Step, _ call: Task<Void, Never>) {
      switch step {
      case .arrive: bus.send(.didBecomeActive)
      case .leave: bus.send(.willResignActive)
      case .bodyReturns, .cleanUpEnds, .bodyThrows: commands.send(step)
      case .cancel: call.cancel()
      case .busEnds: bus.send(.willTerminate)
      }
    }
  }

  /// Returns false after a fault.
  private func run(_ script: [Step], _ kind: BusKind) async -> Bool {
    var rules = Rules()
    let real = Real(kind)
    let call = real.call()
    var past: [Step] = []
    // Whatever has been left running is ended, and then there must be nothing more.
    for step in script + [.busEnds, .cleanUpEnds] where rules.allows(step) {
      past.append(step)
      let expected = rules.take(step)
      real.take(step, call)
      // Cancellation must have reached the body already.
      let known = real.lines.rest
      if expected.first?.hasPrefix("cancel ") == true && known.first != expected.first {
        Issue.record("\(past): not cancelled at once")
        return false
      }
      for line in expected {
        let received = await real.lines.receive()
        if received != line {
          Issue.record("\(kind) \(past): \(received) instead of \(line)")
          call.cancel()
          return false
        }
      }
    }
    await call.value
    if !rules.isOver || !real.lines.rest.isEmpty || !real.bus.diagnostics.liveSubscriptions.isEmpty
    {
      Issue.record("\(kind) \(past): not over: \(real.lines.rest)")
      return false
    }
    return true
  }

  @Test(
    "Every sequence does what the rules say",
    .timeLimit(.minutes(20)),
    arguments: BusKind.allCases
  )
  func everySequence(_ kind: BusKind) async {
    var scripts: [[Step]] = []
    func extend(_ script: [Step], _ rules: Rules) {
      let steps = script.count < 9 && !rules.isOver ? Step.allCases.filter(rules.allows) : []
      // A script contains its own beginnings.
      if steps.isEmpty { scripts.append(script) }
      for step in steps {
        var rules = rules
        _ = rules.take(step)
        extend(script + [step], rules)
      }
    }
    extend([], Rules())
    #expect(scripts.count > 1_000)
    for script in scripts {
      guard await run(script, kind) else { return }
    }
  }
}
