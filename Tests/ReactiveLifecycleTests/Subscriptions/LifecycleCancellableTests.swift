import CustomDump
import ReactiveLifecycle
import TestSupport
import Testing

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

  @Test("Cancelled by many threads, a cancellable is cancelled once")
  func manyThreads() async {
    let cancellable = make()
    await awaitOtherThreads(32) { number in
      if number.isMultiple(of: 2) { cancellable.cancel() } else { _ = cancellable.isCancelled }
    }
    #expect(cancellable.isCancelled)
    expectNoDifference(trace.lines, ["cancelled"])
  }

  @Test("The closure may ask the cancellable, and cancel it again; it is released with its call")
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

  @Test("A scope cancels it when the scope ends, and holds it until then")
  func scopeCancelsWhenItEnds() {
    let scope = LifecycleScope()
    make().store(in: scope)
    expectNoDifference(trace.take(), [])
    scope.end()
    expectNoDifference(trace.take(), ["cancelled"])
  }
}
