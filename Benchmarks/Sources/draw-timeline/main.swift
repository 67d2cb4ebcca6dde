import LifecycleFlightRecording
import LifecycleTimelines
import ReactiveLifecycle

/// Records a week of a process that is used now and then, and sleeps with its device at times.
func week(records count: Int) -> FlightRecording {
  let clock = WeekClock()
  let bus = NonisolatedLifecycleBus(clock: clock)
  let recorder = FlightRecorder(of: bus, capacity: count)
  // A stay makes six records and a bit.
  let pause = Duration.seconds(7 * 86_400) * 6 / count
  for number in 1...count / 6 {
    clock.advance(by: pause * Double(number * 7 % 10) / 10)
    bus.send(.didEnterBackground)
    if number % 17 == 0 {
      clock.sleepDevice(for: pause * 3)
    } else {
      clock.advance(by: pause * Double(number * 3 % 10) / 10)
    }
    bus.send(.didBecomeActive)
    if number % 5 == 0 { bus.send(.didBecomeActive) }
    if number % 90 == 0 { bus.send(.didReceiveMemoryWarning) }
    if number % 400 == 0 { recorder.note("checkpoint \(number)") }
  }
  return recorder.recording
}

/// Prints how long some work takes, and how many bytes its text has.
func measure<Value>(_ name: String, _ work: () -> Value) -> Value {
  let clock = ContinuousClock()
  var value = work()
  // The first time includes what is loaded late.
  let time = (1...3).map { _ in clock.measure { value = work() } }.min() ?? .zero
  let size = (value as? String).map { ", \($0.utf8.count / 1000) kB" } ?? ""
  print("\(name): \(Int(time / .milliseconds(1))) ms\(size)")
  return value
}

let recording = week(records: 100_000)
print("\(recording.records.count) records")
let timeline = measure("model") { LifecycleTimeline([recording]) }
_ = measure("text") { timeline.text(columns: 120, usesColor: true) }
_ = measure("picture") { timeline.svg }
_ = measure("page") { timeline.html }
