import ReactiveLifecycle

/// The random use that the main actor makes of the bus that delivers there.
@MainActor
final class MainWorker {
  private let world: World
  private let observed: ObservedBus
  private var random: SeededGenerator
  private var owners: [MainActorOwner] = []

  init(_ world: World, seed: UInt64) {
    self.world = world
    observed = world.buses.first { $0.mainActorBus === world.mainBus }!
    random = SeededGenerator(seed: seed)
  }

  func run(steps: Int) async {
    for _ in 0..<steps {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: owners.append(world.mainActorOwner(of: observed))
      case 1: _ = owners.popLast()
      default: send()
      }
      await Task.yield()
    }
    owners = []
  }

  private func send() {
    let kind = Worker.kinds.randomElement(using: &random)!
    let outcome = observed.send(kind, from: "main actor")
    world.faults.check(
      .whereObserversRun,
      outcome != .queued,
      "\(kind) is queued, although it was sent on the main actor outside a delivery"
    )
  }
}
