import CustomDump
import Dispatch
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@testable import ReactiveLifecycle

@Suite("Timers")
struct SystemTimerTests {
  @Test("The system's timer is called at or after its deadline, which may have passed")
  func systemTimerIsNotEarly() async {
    let clock = SystemLifecycleClock()
    for delay in [Duration.milliseconds(5), .zero, .seconds(-5)] {
      let called = AsyncGate()
      let reading = Locked<ContinuousInstant?>(nil)
      let deadline = clock.continuous + delay
      let timer = clock.schedule(at: deadline) {
        reading.withLock { $0 = clock.continuous }
        called.open()
      }
      await called.opened()
      #expect(reading.withLock { $0! } >= deadline)
      timer.cancel()
    }
  }

  @Test("Scheduling does not call the closure itself, even if its time has passed")
  func schedulingDoesNotCall() async {
    let clock = SystemLifecycleClock()
    for _ in 1...50 {
      let trace = Trace()
      let called = AsyncGate()
      let scheduling = Locked<ObjectIdentifier?>(currentThread())
      let timer = clock.schedule(at: clock.continuous - .seconds(5)) {
        let isScheduling = scheduling.withLock { $0 == currentThread() }
        trace("called by the thread that schedules: \(isScheduling)")
        called.open()
      }
      scheduling.withLock { $0 = nil }
      await called.opened()
      expectNoDifference(trace.lines, ["called by the thread that schedules: false"])
      timer.cancel()
    }
  }

  @Test("The system's timer can wait for longer than can be counted in nanoseconds")
  func farAway() {
    let clock = SystemLifecycleClock()
    for time in [Duration.seconds(Int64.max), .seconds(Int64.max) * 2] {
      let deadline = ContinuousInstant(timeSinceBoot: time)
      let canary = Locked<Canary?>(Canary())
      let sung = Weak(canary.withLock { $0! })
      let timer = clock.schedule(at: deadline) { [canary = canary.withLock { $0! }] in canary.sing()
      }
      canary.withLock { $0 = nil }
      #expect(sung.isAlive)
      timer.cancel()
      #expect(!sung.isAlive)
    }
  }

  @Test("A timer of Dispatch that comes early is armed again")
  func earlyDispatchTimerIsArmedAgain() async {
    // What is left to wait for: when the timer is armed, when it comes too early twice, at last.
    let left = Locked([1, 2, 1, 0])
    let trace = Trace()
    let called = AsyncGate()
    let timer = DispatchTimer(
      deadline: .boot + .seconds(3),
      reading: {
        let nanoseconds = left.withLock { $0.removeFirst() }
        trace("\(nanoseconds) ns left")
        return .boot + (.seconds(3) - .nanoseconds(nanoseconds))
      },
      body: {
        trace("called")
        called.open()
      }
    )
    await called.opened()
    expectNoDifference(
      trace.lines,
      ["1 ns left", "2 ns left", "1 ns left", "0 ns left", "called"]
    )
    timer.cancel()
  }

  @Test("Cancelled while it comes, a timer of Dispatch calls nobody, and lets go of everything")
  func cancelledWhileItFires() async {
    let trace = Trace()
    let released = AsyncGate()
    let hasCome = AsyncGate()
    let mayGoOn = ThreadGate()
    let readings = Locked(0)
    var timer: DispatchTimer? = DispatchTimer(
      deadline: .boot,
      reading: { [canary = Canary { released.open() }] in
        canary.sing()
        let reading = readings.withLock { count in
          count += 1
          return count
        }
        // The first one arms the timer.
        if reading == 2 {
          hasCome.open()
          mayGoOn.wait()
        }
        return .boot
      },
      body: { trace("called") }
    )
    await hasCome.opened()
    timer?.cancel()
    timer = nil
    mayGoOn.open()
    await released.opened()
    expectNoDifference(trace.lines, [])
  }
}
