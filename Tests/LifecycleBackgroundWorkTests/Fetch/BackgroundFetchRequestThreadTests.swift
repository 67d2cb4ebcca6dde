import CustomDump
import LifecycleBackgroundWork
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Background fetch: requests on several threads")
struct BackgroundFetchRequestThreadTests {
  @Test("The completion is passed on by the thread that completes, which may wait for others there")
  func completesWithoutALock() {
    let trace = Trace()
    let requests = Collector<Weak<BackgroundFetchRequest>>()
    let thread = currentThread()
    let request = BackgroundFetchRequest(deadline: .seconds(30)) { result in
      onOtherThread {
        requests.values[0].object?.onExpiration {}
        requests.values[0].object?.expire()
      }
      trace("\(result) on the thread that completes: \(currentThread() == thread)")
    }
    requests(Weak(request))
    request.complete(.newData)
    expectNoDifference(trace.lines, ["newData on the thread that completes: true"])
  }

  @Test("The closure is called on the thread that expires")
  func expiresOnItsThread() {
    let trace = Trace()
    let expiring = Locked<ObjectIdentifier?>(nil)
    let request = BackgroundFetchRequest(deadline: .seconds(30)) { _ in }
    request.onExpiration {
      trace("on the thread that expires: \(expiring.withLock { $0 } == currentThread())")
    }
    onOtherThread {
      let thread = currentThread()
      expiring.withLock { $0 = thread }
      request.expire()
    }
    expectNoDifference(trace.lines, ["on the thread that expires: true"])
    request.complete(.failed)
  }

  @Test("Completing, expiring and setting the closure race: it is called once at most")
  func race() async {
    for _ in 0..<100 {
      let completions = Counter()
      let calls = Counter()
      let request = BackgroundFetchRequest(deadline: .seconds(30)) { _ in completions.add() }
      await awaitOtherThreads(4) { thread in
        switch thread {
        case 0: request.complete(.newData)
        case 1: request.onExpiration { calls.add() }
        default: request.expire()
        }
      }
      expectNoDifference(completions.count, 1)
      let count = calls.count
      #expect(count <= 1)
      request.expire()
      request.onExpiration { calls.add() }
      expectNoDifference(calls.count, count, "not after the completion")
    }
  }
}
