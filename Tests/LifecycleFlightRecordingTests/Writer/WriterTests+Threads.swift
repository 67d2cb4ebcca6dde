import CustomDump
import Foundation
import LifecycleSupport
import ReactiveLifecycle
import TestSupport
import Testing

@testable import LifecycleFlightRecording

extension WriterTests {
  /// Runs a closure on two threads, which are not those that the tests need.
  private func startThreads(_ body: @escaping @Sendable (Int) -> Void) -> DispatchGroup {
    let group = DispatchGroup()
    for number in 1...2 {
      group.enter()
      Thread {
        body(number)
        group.leave()
      }
      .start()
    }
    return group
  }

  @Test("While many threads record, the end writes what was accepted before")
  func manyThreads() throws {
    let recorder = FlightRecorder(of: bus, capacity: 1_000_000)
    let writing = try recorder.write(to: path, rotatingAt: 200_000, keeping: 10_000)
    let (isEnding, isDone) = (SharedFlag(), SharedFlag())
    let record: @Sendable (Int) -> Void = { thread in
      var number = 0
      while !isDone.isOn {
        recorder.note("\(thread) \(number)")
        number += 1
        // The thread that ends the writing must get a processor, too, however long that takes.
        usleep(isEnding.isOn ? 1_000 : 10)
      }
    }
    let threads = startThreads(record)
    while recorder.next < 1_000 { usleep(100) }
    let before = recorder.next
    isEnding.set(true)
    writing.cancel()
    isDone.set(true)
    threads.wait()
    var records: [FlightRecord] = []
    let names = directory.names.sorted { Int($0.dropFirst(7)) ?? 0 > Int($1.dropFirst(7)) ?? 0 }
    for name in names { records += try file(name).recordings.flatMap(\.records) }
    #expect(records.count >= before)
    expectNoDifference(records, Array(recorder.recording.records.prefix(records.count)))
  }

  @Test("The end waits for no record that is accepted after its call")
  func endsWhileOthersRecord() throws {
    let recorder = FlightRecorder(of: bus, capacity: 10_000)
    // A file for each record, so that the writer is always behind.
    let writing = try recorder.write(to: path, rotatingAt: 1, keeping: 0)
    let isDone = SharedFlag()
    let threads = startThreads { thread in
      while !isDone.isOn {
        for number in 0..<20 { recorder.note("\(thread) \(number)") }
        // The thread that ends the writing must get the lock of the bus, too, which is not fair.
        usleep(10)
      }
    }
    while recorder.next < 1_000 { usleep(100) }
    let end = DispatchSemaphore(value: 0)
    Thread {
      writing.cancel()
      end.signal()
    }
    .start()
    expectNoDifference(
      end.wait(timeout: .now() + .seconds(300)),
      .success,
      "it waits for the others"
    )
    isDone.set(true)
    threads.wait()
  }

  @Test("A writer that ends while other threads send is not released on them")
  func endsWhileOthersSend() throws {
    let isDone = SharedFlag()
    let bus = bus
    let threads = startThreads { _ in
      while !isDone.isOn {
        bus.send(.systemDidWake)
        // The lock of the bus is not fair: the thread that ends the writers must get it, too.
        usleep(10)
      }
    }
    defer { isDone.set(true) }
    for _ in 0..<200 {
      try FlightRecorder(of: bus, capacity: 4).write(to: path, keeping: 0).cancel()
    }
    isDone.set(true)
    threads.wait()
    #expect(try !file().recordings.isEmpty)
  }
}
