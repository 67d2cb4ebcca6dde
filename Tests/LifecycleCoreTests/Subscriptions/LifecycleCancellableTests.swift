import CustomDump
import TestSupport
import Testing

@testable import LifecycleCore

@Suite("Cancellables")
struct LifecycleCancellableTests {
  private let trace = Trace()

  private func make() -> LifecycleCancellable {
    LifecycleCancellable { [trace] in trace("cancelled") }
  }

  @Test("A cancellable is cancelled once, by a call or by its release")
  func isCancelledOnce() {
    var cancellable: LifecycleCancellable? = make()
    expectNoDifference(cancellable?.isCancelled, false)
    cancellable?.cancel()
    expectNoDifference(cancellable?.isCancelled, true)
    cancellable?.cancel()
    cancellable = nil
    expectNoDifference(trace.take(), ["cancelled"])
    cancellable = make()
    expectNoDifference(trace.take(), [])
    cancellable = nil
    expectNoDifference(trace.take(), ["cancelled"])
  }

  @Test("The closure of a cancellable may use it, and is released after its call")
  func closureMayAskAndCancelCancellable() {
    let box = UncheckedBox<LifecycleCancellable>()
    let makeCanary = { [trace] in Canary { trace("released") } }
    box.value = LifecycleCancellable { [trace, canary = makeCanary()] in
      canary.sing()
      trace("isCancelled: \(box.value!.isCancelled)")
      box.value!.cancel()
      // Another thread does not wait for this one.
      onOtherThread { box.value!.cancel() }
    }
    box.value!.cancel()
    expectNoDifference(trace.take(), ["isCancelled: true", "released"])
  }

  enum Input: String, CaseIterable, Sendable { case start, end, finish }

  /// Returns the task that an input hands out, from the whole past: the first end before the finish
  /// cancels the task, as soon as it is known.
  private func expected(_ input: Input, after past: [Input]) -> String? {
    let isKnown = past.contains(.start)
    let isCancelled = past.contains(.end)
    if past.contains(.finish) { return nil }
    return switch input {
    case .start: isCancelled ? "task" : nil
    case .end: isKnown && !isCancelled ? "task" : nil
    case .finish: isKnown && !isCancelled ? "task" : nil
    }
  }

  @Test("A task is cancelled once, in every sequence of its start, its finish and an end")
  func everySequence() {
    var count = 0
    func extend(_ machine: CancellationMachine<String>, _ past: [Input], _ depth: Int) {
      count += 1
      let endsFirst = past.first { $0 != .start } == .end
      expectNoDifference(machine.isCancelled, endsFirst && !past.contains(.finish), "\(past)")
      guard depth > 0 else { return }
      // A task is started once.
      for input in Input.allCases where input != .start || !past.contains(.start) {
        var machine = machine
        let result =
          switch input {
          case .start: machine.start("task")
          case .end: machine.end()
          case .finish: machine.finish()
          }
        expectNoDifference(result, expected(input, after: past), "\(past), then \(input)")
        extend(machine, past + [input], depth - 1)
      }
    }
    extend(CancellationMachine(), [], 6)
    #expect(count > 100)
  }
}

@MainActor
@Suite("Members of scopes")
struct ScopeCoreTests {
  /// A member that counts how often it is asked for its bus.
  private final class AskedEntry: ScopeEntry, @unchecked Sendable {
    let count: Counter
    init(_ count: Counter) { self.count = count }
    override var observedBus: LifecycleBusCore? {
      _ = count.add()
      return nil
    }
  }

  @Test("A task in a child scope looks at few of the thousand members of the parent")
  func fewMembersAsked() {
    let (parent, count) = (LifecycleScope("parent"), Counter())
    for _ in 0..<1_000 { parent.core.admit { _ in AskedEntry(count) } }
    let child = LifecycleScope("child", parent: parent)
    child.task {}
    #expect(count.count < 100)
    withExtendedLifetime((parent, child)) {}
  }
}
