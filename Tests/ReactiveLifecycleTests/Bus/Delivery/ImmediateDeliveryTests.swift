import CustomDump
import Dispatch
import LifecycleTesting
import TestSupport
import Testing

@testable import ReactiveLifecycle

/// The delivery of an event that has nothing to wait for: handed out by `accept`, without a queue.
@Suite("The dispatch machine: immediate delivery")
struct ImmediateDeliveryTests {
  private let core = LifecycleBusCore(
    context: .sendingThread(DispatchQueue(label: "test")),
    clock: ManualClock()
  )

  private func input(_ kind: LifecycleEvent.Kind) -> PhaseMachine.Input {
    PhaseMachine.Input(kind: kind, origin: .manual, instant: core.clock.now)
  }

  private func row() -> ObserverRow { ObserverRow(core: core, kinds: .all, site: nil) }

  /// What the sender delivers first: the kind and the number of recipients, or what waits, or nothing.
  private func accept(
    _ kind: LifecycleEvent.Kind,
    _ machine: inout DispatchMachine,
    isHere: Bool = true
  ) -> String {
    let acceptance = machine.accept(input(kind), isHere: isHere)
    expectNoDifference(acceptance.needsHop, !isHere)
    let (reason, delivers) = (acceptance.reason, acceptance.delivers)
    let delivery =
      if let immediate = acceptance.immediate {
        "\(immediate.move.kind) to \(immediate.recipients.rows.count)"
      } else {
        delivers ? "what waits" : "nothing"
      }
    return reason.map { "\(delivery), \($0)" } ?? delivery
  }

  /// Performs nothing, and says what would come.
  private func drain(_ machine: inout DispatchMachine) -> [String] {
    var lines: [String] = []
    while true {
      switch machine.advance() {
      case .clear: lines.append("pendingRelease")
      case .step(let step):
        guard let step else { return lines }
        lines.append(name(step))
      }
    }
  }

  private func name(_ step: borrowing DispatchMachine.Step) -> String {
    switch step {
    case .deliver(let event, _): "\(event.shortLine)"
    case .publish(let input, _): "publish \(input.reason)"
    case .start: "start"
    case .flush: "flush"
    case .finish: "finish"
    case .clear: "clear"
    case .check: "check"
    case .call: "call"
    }
  }

  @Test("An idle machine hands the event out, and rests after it")
  func idleMachineDeliversAtOnce() {
    var machine = DispatchMachine()
    _ = machine.add(row(), catchUp: .nothing)
    for _ in 1...2 {
      #expect(accept(.systemDidWake, &machine) == "systemDidWake to 1")
      #expect(machine.isDelivering)
      let hasMore = machine.startDelivering()
      let needsHop = machine.needsHop()
      let isAtRest = machine.stopDelivering()
      #expect(!hasMore && !needsHop && isAtRest && !machine.isDelivering)
    }
    let hasMore = machine.startDelivering()
    #expect(!hasMore)
  }

  @Test("The first of several events is handed out, the others follow in order")
  func severalEvents() {
    var machine = DispatchMachine()
    expectNoDifference(accept(.didBecomeActive, &machine), "didFinishLaunching to 0")
    expectNoDifference(machine.delivered.phase, .background)
    let isAtRest = machine.stopDelivering()
    #expect(!isAtRest && machine.isDelivering)
    expectNoDifference(drain(&machine), ["2 willEnterForeground", "3 didBecomeActive"])
    #expect(!machine.isDelivering)
    expectNoDifference(machine.delivered.phase, .active)
  }

  @Test("Nothing is handed out while another delivery is under way")
  func nothingDuringADelivery() {
    var machine = DispatchMachine()
    expectNoDifference(accept(.systemDidWake, &machine), "systemDidWake to 0")
    expectNoDifference(accept(.systemWillSleep, &machine), "nothing")
    let isAtRest = machine.stopDelivering()
    #expect(!isAtRest)
    expectNoDifference(drain(&machine), ["2 systemWillSleep"])
  }

  @Test("Nothing is handed out where the bus does not deliver")
  func nothingOnAnotherThread() {
    var machine = DispatchMachine()
    expectNoDifference(accept(.systemDidWake, &machine, isHere: false), "nothing")
    #expect(!machine.isDelivering)
    // A queued event comes first.
    expectNoDifference(accept(.systemWillSleep, &machine), "what waits")
    expectNoDifference(drain(&machine), ["1 systemDidWake", "2 systemWillSleep"])
  }

  @Test("Nothing is delivered before a task for a row, whatever it is")
  func nothingBeforeRowTasks() {
    let rowTasks: [(String, (inout DispatchMachine) -> Void)] = [
      ("start", { _ = $0.add(row(), catchUp: .path) }),
      ("flush", { $0.addFlush(row()) }),
      (
        "clear",
        {
          let row = row()
          _ = $0.add(row, catchUp: .nothing)
          _ = row.endLife()
          let removal = $0.remove(row, clearingHere: false)
          #expect(removal.step == .hop)
        }
      ),
    ]
    for (name, add) in rowTasks {
      var machine = DispatchMachine()
      add(&machine)
      expectNoDifference(accept(.systemDidWake, &machine), "what waits")
      expectNoDifference(drain(&machine), [name, "1 systemDidWake"])
    }
  }

  @Test("Nothing is delivered before what came first: a suppression, a call")
  func otherWork() {
    var machine = DispatchMachine()
    var stranger = input(.didFinishLaunching)
    stranger.source = 99
    expectNoDifference(machine.accept(stranger), .disconnected)
    expectNoDifference(accept(.systemDidWake, &machine), "what waits")
    machine.addCall {}
    expectNoDifference(drain(&machine), ["publish disconnected", "1 systemDidWake", "call"])
  }

  @Test("An input that is suppressed is not handed out")
  func inputThatIsSuppressedIsNotHandedOut() {
    var machine = DispatchMachine()
    expectNoDifference(accept(.didFinishLaunching, &machine), "didFinishLaunching to 0")
    _ = machine.stopDelivering()
    expectNoDifference(accept(.didFinishLaunching, &machine), "nothing, duplicate")
    #expect(!machine.isDelivering)
    machine.release(at: input(.willTerminate).instant)
    expectNoDifference(accept(.systemDidWake, &machine), "what waits, terminated")
    expectNoDifference(drain(&machine), ["finish", "publish terminated"])
  }

  @Test(
    "A suppressed input is published where somebody observes it, or may come to before its turn"
  )
  func publishedSuppressions() {
    var machine = DispatchMachine()
    expectNoDifference(accept(.didFinishLaunching, &machine), "didFinishLaunching to 0")
    // Another delivery is under way: an observer that joins in it is told.
    expectNoDifference(accept(.didFinishLaunching, &machine), "nothing, duplicate")
    expectNoDifference(drain(&machine), ["publish duplicate"])
    // Nobody observes.
    expectNoDifference(accept(.didFinishLaunching, &machine), "nothing, duplicate")
    expectNoDifference(drain(&machine), [])
    let observer = ObserverRow(core: core, kinds: .all, site: nil, table: .suppressions)
    _ = machine.addSubscriber(observer, catchUp: .nothing)
    expectNoDifference(accept(.didFinishLaunching, &machine), "what waits, duplicate")
    expectNoDifference(drain(&machine), ["publish duplicate"])
    expectNoDifference(machine.suppressedCount(.duplicate), 3)
  }

  @Test("There is no rest before what the delivery left behind")
  func whatIsLeftBehind() {
    let leftovers: [(String, (inout DispatchMachine, ObserverRow) -> Void)] = [
      ("start", { machine, _ in _ = machine.add(row(), catchUp: .path) }),
      ("call", { machine, _ in machine.addCall {} }),
      (
        "pendingRelease",
        { machine, observer in
          _ = observer.endLife()
          _ = machine.remove(observer, clearingHere: true)
        }
      ),
    ]
    for (name, leave) in leftovers {
      var machine = DispatchMachine()
      let observer = row()
      _ = machine.add(observer, catchUp: .nothing)
      expectNoDifference(accept(.systemDidWake, &machine), "systemDidWake to 1")
      leave(&machine, observer)
      let isAtRest = machine.stopDelivering()
      #expect(!isAtRest && machine.isDelivering, "\(name)")
      expectNoDifference(drain(&machine), [name])
      #expect(!machine.isDelivering)
    }
  }

  @Test("After willTerminate there is no rest before the streams have finished")
  func theEnd() {
    var machine = DispatchMachine()
    expectNoDifference(accept(.willTerminate, &machine), "willTerminate to 0")
    let isAtRest = machine.stopDelivering()
    #expect(!isAtRest)
    expectNoDifference(drain(&machine), ["finish"])
  }

  @Test("An immediate delivery has the scopes that end at its kind, only")
  func hasOnlyScopesThatEndAtItsKind() {
    var machine = DispatchMachine()
    let scope = ScopeCore(name: "screen")
    let id = machine.addEnding(ScopeEnding(kinds: [.systemDidWake, .willTerminate], scope: scope))
    for (kind, count) in [(LifecycleEvent.Kind.systemWillSleep, 0), (.systemDidWake, 1)] {
      #expect(endingCount(at: kind, &machine) == count)
      _ = machine.stopDelivering()
    }
    // One of two that end at the same kind is withdrawn, then the other.
    let other = machine.addEnding(ScopeEnding(kinds: [.systemDidWake], scope: scope))
    for (id, count) in [(id, 1), (other, 0)] {
      #expect(machine.removeEnding(id!)?.scope === scope)
      #expect(machine.removeEnding(id!) == nil)
      #expect(endingCount(at: .systemDidWake, &machine) == count)
      _ = machine.stopDelivering()
    }
  }

  private func endingCount(
    at kind: LifecycleEvent.Kind,
    _ machine: inout DispatchMachine
  ) -> Int? {
    let acceptance = machine.accept(input(kind), isHere: true)
    return if let immediate = acceptance.immediate { immediate.recipients.endings.count } else {
      nil
    }
  }
}
