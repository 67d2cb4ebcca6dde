import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@MainActor
@Suite("G4 Order inside an event")
struct G04OrderInsideAnEventTests {
  @Test("Going up observers run in order, going down in reverse", arguments: BusKind.allCases)
  func allForms(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let calls = Trace()
    // Each form twice, and in two orders, so that no form has a place of its own.
    let forms = ObserverForm.ofEvents + ObserverForm.ofEvents.reversed()
    let registrations = forms.enumerated().map { number, form in
      form.observe(bus) { calls("\(number) \($0)") }
    }
    let inOrder = forms.enumerated().map { "\($0) \($1.rawValue)" }
    for input in PhaseOracle.transitions {
      bus.send(input)
      trace("\(input): \(order(calls.take(), inOrder))")
      guard input != .willTerminate else { continue }
      bus.send(.systemDidWake)
      // A phase is no notice.
      expectNoDifference(calls.take(), inOrder.filter { !$0.hasSuffix("phases") })
    }
    expectNoDifference(
      trace.lines,
      [
        "didFinishLaunching: in order",
        "willEnterForeground: in order",
        "didBecomeActive: in order",
        "willResignActive: in reverse",
        "didEnterBackground: in reverse",
        "willTerminate: in reverse",
      ]
    )
    for registration in registrations { registration.cancel() }
  }

  private func order(_ calls: [String], _ inOrder: [String]) -> String {
    if calls == inOrder { return "in order" }
    return calls == inOrder.reversed() ? "in reverse" : "\(calls)"
  }

  @Test("Observers keep their order after many have left", arguments: BusKind.allCases)
  func afterCompaction(_ kind: BusKind) {
    let bus = kind.make()
    let calls = Trace()
    var tokens = (0..<200).map { number in bus.addObserver { _ in calls("\(number)") } }
    for (number, token) in tokens.enumerated() where number % 5 != 0 { token.cancel() }
    tokens += (200..<210).map { number in bus.addObserver { _ in calls("\(number)") } }
    bus.send(.didFinishLaunching)
    let inOrder = (0..<40).map { "\($0 * 5)" } + (200..<210).map(String.init)
    expectNoDifference(calls.take(), inOrder)
    bus.send(.willTerminate)
    expectNoDifference(calls.take(), inOrder.reversed())
    for token in tokens { token.cancel() }
  }

  @Test("Sequences receive an event in their turn", arguments: BusKind.allCases)
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func sequencesHaveTheirTurn(_ kind: BusKind) async {
    let bus = kind.make()
    let calls = Trace()
    let first = bus.addObserver { _ in calls("first") }
    let events = bus.events.asyncSequence()
    let last = bus.addObserver { _ in calls("last") }
    // The bus resumes the loop in the sequence's turn; the executor notices that at once.
    let executor = ImmediateExecutor { if calls.lines.last != "sequence" { calls("sequence") } }
    let loop = Task(executorPreference: executor) { for await _ in events {} }
    _ = calls.take()
    bus.send(.didFinishLaunching)
    expectNoDifference(calls.take(), ["first", "sequence", "last"])
    bus.send(.willEnterForeground)
    expectNoDifference(calls.take(), ["first", "sequence", "last"])
    bus.send(.systemDidWake)
    expectNoDifference(calls.take(), ["first", "sequence", "last"])
    bus.send(.didEnterBackground)
    expectNoDifference(calls.take(), ["last", "sequence", "first"])
    loop.cancel()
    await loop.value
    first.cancel()
    last.cancel()
  }
}

/// Runs each job at once, on the thread that enqueues it.
private final class ImmediateExecutor: Sendable {
  fileprivate let onEnqueue: @Sendable () -> Void

  init(_ onEnqueue: @escaping @Sendable () -> Void) {
    self.onEnqueue = onEnqueue
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension ImmediateExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    onEnqueue()
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}
