import BenchmarkSupport
import Dispatch
import Foundation

let program = PeerProgram("system-timers")

/// A timer each, as people write countdowns by hand.
func dispatchTimer(_ seconds: Int) -> any DispatchSourceTimer {
  let timer = DispatchSource.makeTimerSource(queue: .main)
  timer.setEventHandler {}
  timer.schedule(deadline: .now() + .seconds(seconds))
  timer.activate()
  return timer
}

program.addStartingCountdowns("dispatch") { count in
  (0..<count).map { dispatchTimer(10_000 + $0) }
} startAndCancel: { _ in
  dispatchTimer(50_000).cancel()
} check: { timers in
  let ended = timers.count { $0.isCancelled }
  if ended > 0 { throw CountdownsEnded(count: ended) }
}

func runLoopTimer(_ seconds: Int) -> Timer {
  let timer = Timer(timeInterval: TimeInterval(seconds), repeats: false) { _ in }
  RunLoop.main.add(timer, forMode: .default)
  return timer
}

program.addStartingCountdowns("run-loop") { count in
  (0..<count).map { runLoopTimer(10_000 + $0) }
} startAndCancel: { _ in
  runLoopTimer(50_000).invalidate()
} check: { timers in
  let ended = timers.count { !$0.isValid }
  if ended > 0 { throw CountdownsEnded(count: ended) }
}

program.run()
