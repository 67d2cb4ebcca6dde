import CustomDump
import LifecycleBackgroundWork
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

/// Random scripts in virtual time, against a model that is a list of tasks.
@MainActor
@Suite("Background tasks: random scripts")
struct BackgroundTaskModelTests {
  enum Reaction: CaseIterable {
    case nothing, endSelf, endOther, begin, endScope
  }

  enum Step {
    case begin(inScope: Bool, Reaction)
    /// Work whose body can't run before the script has ended, as the main actor is busy.
    case start
    case cancelWork(Int)
    case end(Int)
    case release(Int)
    case endScope
    case advance(Int)
    case expire
    case grant(Bool)
  }

  @Test("Random scripts of tasks agree with a model", arguments: seeds(300))
  func tasksDoWhatModelDoes(seed: UInt64) async {
    var generator = SeededGenerator(seed: seed)
    let (real, model) = (Real(), Model())
    var script: [Step] = []
    for _ in 0..<40 {
      let step = Step.random(tasks: model.tasks.count, &generator)
      script.append(step)
      real.perform(step)
      model.perform(step)
      guard real.picture == model.picture else { break }
    }
    expectNoDifference(real.picture, model.picture, "seed \(seed): \(script)")
    await real.finish()
  }

  struct Picture: Equatable {
    var trace: [String]
    var operations: [InMemoryBackgroundTaskHost.Operation]
    var states: [String]
    var granted: [String]
    var remaining: Duration?
  }

  // MARK: The real one

  @MainActor private final class Real {
    let clock = ManualClock()
    let host: InMemoryBackgroundTaskHost
    let coordinator: BackgroundTaskCoordinator
    var scope = LifecycleScope("screen")
    var tasks: [BackgroundTask?] = []
    var works: [Int: _Concurrency.Task<Void, any Error>] = [:]
    var toldToEnd: Set<Int> = []
    var scoped: Set<Int> = []
    var trace: [String] = []

    init() {
      host = InMemoryBackgroundTaskHost(clock: clock)
      coordinator = BackgroundTaskCoordinator(host: host)
    }

    var picture: Picture {
      Picture(
        trace: trace,
        operations: host.operations,
        states: tasks.enumerated().map { number, task in
          if let work = works[number] { return work.isCancelled ? "cancelled" : "open" }
          guard let task else { return "released" }
          return task.isExpired ? "expired" : task.isEnded ? "ended" : "open"
        },
        granted: coordinator.grantedTasks,
        remaining: coordinator.remainingTime
      )
    }

    func perform(_ step: Step) {
      switch step {
      case .begin(let inScope, let reaction): begin(inScope: inScope, reaction)
      case .start:
        works[tasks.count] = startBackgroundTask(named: "\(tasks.count)", tasks: coordinator) {}
        tasks.append(nil)
      case .cancelWork(let task): works[task]?.cancel()
      case .end(let task): end(task)
      case .release(let task):
        // One that nobody ends is reported, which is tested elsewhere.
        if !scoped.contains(task) { end(task) }
        tasks[task] = nil
      case .endScope: endScope()
      case .advance(let seconds): clock.advance(by: .seconds(seconds))
      case .expire: host.expire()
      case .grant(let isGranting): host.isGranting = isGranting
      }
    }

    func finish() async {
      for task in tasks.indices { end(task) }
      scope.end()
      for work in works.values { _ = await work.result }
      host.expectNoOpenTasks()
    }

    private func begin(inScope: Bool, _ reaction: Reaction) {
      let number = tasks.count
      tasks.append(nil)
      if inScope { scoped.insert(number) }
      let onExpiration: @MainActor @Sendable () -> Void = { [weak self] in
        self?.trace.append("\(number)")
        self?.react(reaction, number)
      }
      tasks[number] =
        inScope
        ? coordinator.beginTask(named: "\(number)", in: scope, onExpiration: onExpiration)
        : coordinator.beginTask(named: "\(number)", onExpiration: onExpiration)
    }

    private func react(_ reaction: Reaction, _ number: Int) {
      switch reaction {
      case .nothing: break
      case .endSelf: end(number)
      case .endOther: end(number + 1)
      case .begin: begin(inScope: false, .nothing)
      case .endScope: endScope()
      }
    }

    private func endScope() {
      let old = scope
      scope = LifecycleScope("screen")
      old.end()
    }

    private func end(_ task: Int) {
      guard tasks.indices.contains(task), toldToEnd.insert(task).inserted else { return }
      tasks[task]?.end()
    }
  }

  // MARK: The model

  @MainActor private final class Model {
    struct Task {
      var state = "open"
      var isGranted = false
      var isScoped: Bool
      var isReleased = false
      var isWork = false
      var reaction: Reaction
    }

    var tasks: [Task] = []
    var trace: [String] = []
    var operations: [InMemoryBackgroundTaskHost.Operation] = []
    var now = 0
    var isGranting = true
    /// Who asked, and until when.
    var grant: (name: String, deadline: Int)?
    var isExpiring = false

    var picture: Picture {
      Picture(
        trace: trace,
        operations: operations,
        states: tasks.map { $0.isReleased ? "released" : $0.state },
        granted: tasks.indices.filter { tasks[$0].isGranted }.map { "\($0)" },
        remaining: .seconds(grant.map { $0.deadline - now } ?? 30)
      )
    }

    func perform(_ step: Step) {
      switch step {
      case .begin(let inScope, let reaction): begin(inScope, reaction)
      case .start: begin(false, .nothing, isWork: true)
      case .cancelWork(let task): if tasks[task].isWork { tasks[task].state = "cancelled" }
      case .end(let task): endByHand(task)
      case .release(let task):
        if !tasks[task].isScoped { end(task) }
        tasks[task].isReleased = !tasks[task].isWork
      case .endScope: endScope()
      case .advance(let seconds):
        let end = now + seconds
        if let grant, grant.deadline <= end {
          now = grant.deadline
          expire()
        }
        now = end
      case .expire: expire()
      case .grant(let isGranting): self.isGranting = isGranting
      }
    }

    private func begin(_ inScope: Bool, _ reaction: Reaction, isWork: Bool = false) {
      let name = "\(tasks.count)"
      tasks.append(Task(isScoped: inScope, isWork: isWork, reaction: reaction))
      if isExpiring { return }
      if grant == nil {
        operations.append(isGranting ? .began(name) : .refused(name))
        guard isGranting else { return }
        grant = (name, now + 30)
      }
      tasks[tasks.count - 1].isGranted = true
    }

    private func endByHand(_ task: Int) {
      guard tasks.indices.contains(task), !tasks[task].isReleased else { return }
      end(task)
    }

    private func end(_ task: Int) {
      guard tasks[task].state == "open", !tasks[task].isWork else { return }
      tasks[task].state = "ended"
      tasks[task].isGranted = false
      giveBackIfUnused()
    }

    private func endScope() {
      for task in tasks.indices.reversed() where tasks[task].isScoped && isInScope(task) {
        end(task)
      }
      scopeStart = tasks.count
    }

    /// The first task of the scope that there is now.
    private var scopeStart = 0

    private func isInScope(_ task: Int) -> Bool { task >= scopeStart }

    private func expire() {
      guard let grant else { return }
      operations.append(.expired(grant.name))
      isExpiring = true
      while let task = tasks.firstIndex(where: \.isGranted) {
        tasks[task].state = tasks[task].isWork ? "cancelled" : "expired"
        tasks[task].isGranted = false
        if !tasks[task].isWork { trace.append("\(task)") }
        switch tasks[task].reaction {
        case .nothing, .endSelf: break
        case .endOther: endByHand(task + 1)
        case .begin: begin(false, .nothing)
        case .endScope: endScope()
        }
      }
      isExpiring = false
      giveBackIfUnused()
    }

    private func giveBackIfUnused() {
      guard let grant, !isExpiring, !tasks.contains(where: \.isGranted) else { return }
      self.grant = nil
      operations.append(.ended(grant.name))
    }
  }
}

extension BackgroundTaskModelTests.Step {
  static func random(tasks: Int, _ generator: inout SeededGenerator) -> Self {
    let task = tasks == 0 ? nil : Int.random(in: 0..<tasks, using: &generator)
    switch Int.random(in: 0..<19, using: &generator) {
    case 0..<6:
      return .begin(
        inScope: .random(using: &generator),
        .allCases.randomElement(using: &generator) ?? .nothing
      )
    case 6..<9: return task.map { .end($0) } ?? .advance(1)
    case 9: return task.map { .release($0) } ?? .advance(1)
    case 10: return .endScope
    case 11..<14: return .advance(.random(in: 1...20, using: &generator))
    case 14: return .expire
    case 15, 16: return .start
    case 17: return task.map { .cancelWork($0) } ?? .start
    default: return .grant(.random(using: &generator))
    }
  }
}
