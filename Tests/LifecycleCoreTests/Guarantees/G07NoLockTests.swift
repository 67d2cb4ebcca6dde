import CustomDump
import Foundation
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

/// No lock is held while user code runs, a value is released or a token is cancelled: code that
/// comes back to the bus in those moments, also from another thread, would hang otherwise.
@MainActor
@Suite("G7 Where observers run: no lock is held")
struct G07NoLockTests {
  /// An object that uses everything a bus offers when it is released, here and on another thread.
  private func busybody(_ bus: any LifecycleBusProtocol, _ trace: Trace, _ name: String) -> Canary {
    Canary { [weak bus] in
      guard let bus else { return }
      let use: @Sendable () -> Void = {
        _ = bus.phase
        _ = bus.diagnostics.liveSubscriptions
        bus.addObserver(catchUp: .path) { _ in }.cancel()
        bus.phases.sink { _ in }.cancel()
        bus.send(.systemDidWake)
      }
      use()
      onOtherThread(use)
      trace(name)
    }
  }

  @Test("Captures may use the bus when they are released", arguments: BusKind.allCases)
  func capturesUseTheBus(_ kind: BusKind) async {
    let trace = Trace()
    for form in ObserverForm.allCases {
      for way in ["cancel", "cancel in delivery", "terminate", "release the bus"]
      where !way.hasPrefix("cancel") || ObserverForm.cancellable.contains(form) {
        var bus: (any LifecycleBusProtocol)? = kind.make()
        let name = "\(form.rawValue): \(way)"
        let registration = form.observe(bus!) { [canary = busybody(bus!, trace, name)] _ in
          canary.sing()
        }
        switch way {
        case "cancel": registration.cancel()
        case "cancel in delivery":
          let box = UncheckedBox(registration)
          let token = bus!.addObserver { _ in box.value?.cancel() }
          bus!.send(.didFinishLaunching)
          token.cancel()
        case "terminate": bus!.send(.willTerminate)
        default: bus = nil
        }
        // The other thread's inputs may still be on their way to the main actor.
        await mainQueueToDrain()
        let released = trace.take() == [name]
        // A stream of suppressed inputs outlives the termination; a bus that is gone is not used.
        let expected =
          !(way == "release the bus" || (form == .suppressedInputs && way == "terminate"))
        #expect(released == expected, "\(name)")
        registration.cancel()
        _ = trace.take()
      }
    }
  }

  @Test("Captures of dead owners' observers may use the bus", arguments: BusKind.allCases)
  func deadOwners(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    for number in 1...5 {
      let (owner, canary) = (Owner(), busybody(bus, trace, "\(number)"))
      bus.addObserver(owner, for: [.willTerminate]) { _, _ in canary.sing() }
    }
    for _ in 1...5 { bus.addObserver { _ in }.cancel() }
    expectNoDifference(trace.lines.sorted(), (1...5).map(String.init))
  }

  @Test("Replaced observers may use the bus when they are released", arguments: BusKind.allCases)
  func replacedAndCompacted(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    for number in 1...100 {
      let canary = busybody(bus, trace, "\(number)")
      bus.addObserver(in: scope, id: "same") { _ in canary.sing() }
    }
    expectNoDifference(trace.take(), (1...99).map(String.init))
    scope.end()
    expectNoDifference(trace.lines, ["100"])
  }

  @Test("Identifiers may use the bus when a compaction releases them", arguments: BusKind.allCases)
  func compactedTables(_ kind: BusKind) {
    struct Name: Hashable, Sendable {
      let number: Int
      let canary: Canary
      static func == (one: Self, other: Self) -> Bool { one.number == other.number }
      func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }
    let bus = kind.make()
    let trace = Trace()
    var scopes = (1...100).map { number in
      let scope = LifecycleScope()
      let name = Name(number: number, canary: busybody(bus, trace, "\(number)"))
      bus.addObserver(in: scope, id: name) { _ in }
      return scope
    }
    // One by one, with nothing else left that holds the cancelled ones: the table alone does.
    while scopes.count > 20 { scopes.removeFirst().end() }
    #expect(trace.lines.count > 50)
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, 20)
    for scope in scopes { scope.end() }
  }

  @Test("An identifier's == and hash may use the bus", arguments: BusKind.allCases)
  func identifiersUseTheBus(_ kind: BusKind) {
    struct Nosy: Hashable, Sendable {
      let bus: any LifecycleBusProtocol
      static func == (one: Self, other: Self) -> Bool {
        _ = one.bus.diagnostics.liveSubscriptions
        onOtherThread { _ = one.bus.phase }
        return true
      }
      func hash(into hasher: inout Hasher) {
        _ = bus.diagnostics.liveSubscriptions
        hasher.combine(1)
      }
    }
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    for number in 1...3 {
      bus.addObserver(in: scope, id: Nosy(bus: bus)) { trace("\(number) \($0.shortLine)") }
    }
    bus.send(.didFinishLaunching)
    expectNoDifference(trace.lines, ["3 1 didFinishLaunching"])
    scope.end()
  }

  @Test(
    "Observers may use the bus from another thread and wait for it",
    arguments: BusKind.allCases
  )
  func observersWaitForOtherThreads(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let token = bus.addObserver { [unowned bus] event in
      let line = onOtherThread {
        bus.addObserver { _ in }.cancel()
        let outcome = event.sequenceNumber < 3 ? bus.send(.systemDidWake).line : "-"
        return "\(event.shortLine): \(outcome), \(bus.phase)"
      }
      trace(line)
    }
    bus.send(.didFinishLaunching)
    token.cancel()
    expectNoDifference(
      trace.lines,
      [
        "1 didFinishLaunching: queued, background", "2 systemDidWake: queued, background",
        "3 systemDidWake: -, background",
      ]
    )
  }

  @Test("A scope's closures may use the scope and the bus", arguments: BusKind.allCases)
  func closuresUseTheScope(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope()
    scope.onEnd { [unowned bus, unowned scope] in
      scope.end()
      onOtherThread { scope.end() }
      expectReportedIssue("has already ended") { scope.onEnd {} }
      trace(
        "\(scope.isEnded), \(bus.diagnostics.liveSubscriptions.count) live, \(bus.send(.systemDidWake).line)"
      )
    }
    bus.addObserver(in: scope) { trace($0.shortLine) }
    scope.end()
    expectNoDifference(trace.lines, ["true, 0 live, delivered"])
  }

  @Test("The clock may use the bus when it is read or sets a timer", arguments: BusKind.allCases)
  func clockUsesTheBus(_ kind: BusKind) {
    final class NosyClock: LifecycleClock {
      let bus = Locked<(@Sendable () -> (any LifecycleBusProtocol)?)?>(nil)
      let reads = Trace()
      var now: LifecycleInstant {
        reads("read")
        if let bus = bus.withLock({ $0 })?() {
          onOtherThread { _ = bus.phase }
        }
        return LifecycleInstant(continuous: .boot, timeAwake: .zero, timeSince1970: .zero)
      }
      func schedule(
        at deadline: ContinuousInstant,
        _ body: @escaping @Sendable () -> Void
      ) -> LifecycleCancellable {
        _ = now
        return LifecycleCancellable { _ = self.now }
      }
    }
    let clock = NosyClock()
    let bus = kind.make(clock: clock)
    clock.bus.withLock { $0 = { [weak bus] in bus } }
    let token = bus.addObserver { _ in }
    bus.send(.didFinishLaunching)
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, 1)
    expectNoDifference(clock.reads.take().count, 3)
    // A timer is set or cancelled.
    bus.send(.didBecomeActive)
    let sink = bus.phases.settle(for: .seconds(2)).sink { _ in }
    _ = clock.reads.take()
    bus.send(all: .willResignActive, .didBecomeActive, .willResignActive)
    sink.cancel()
    #expect(clock.reads.lines.count >= 3 + 4)
    token.cancel()
  }
}
