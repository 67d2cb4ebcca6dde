import BenchmarkSupport
import ReactiveLifecycle

let program = PeerProgram("async-stream")
// An event wakes tasks on other threads, which takes microseconds: fewer events fill an iteration.
program.addSending("streams", to: [1, 10, 100, 1_000, 10_000], calls: 50) { slots in
  let streams = ConsumedStreams(slots)
  return SendingFixture(keeping: streams) { count in
    let event = LifecycleEvent.sample
    for _ in 0..<count { streams.send(event) }
  }
}
program.run()
