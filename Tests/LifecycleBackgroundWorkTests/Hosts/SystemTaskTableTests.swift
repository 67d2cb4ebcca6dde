import CustomDump
import Foundation
import LifecycleBackgroundWork
import LifecycleSupport
import TestSupport
import Testing

@testable import LifecycleBackgroundWork

@MainActor
@Suite("Background tasks: the table of system identifiers")
struct SystemTaskTableTests {
  private let center = NotificationCenter()
  private let table: SystemTaskTable<String>
  private let end = Notification.Name("end")

  init() {
    table = SystemTaskTable(center: center, end: Notification.Name("end"))
  }

  @Test(
    "The end of the process expires open tasks in order, once; later expirations have no effect"
  )
  func processEnd() throws {
    let log = Trace()
    var handlers: [@MainActor @Sendable () -> Void] = []
    let ids = ["a", "b", "c"].compactMap { name in
      table.begin(onExpiration: { log(name) }) { handler in
        handlers.append(handler)
        return name
      }
    }
    try #require(ids.count == 3)
    expectNoDifference(table.end(ids[1]), "b")
    expectNoDifference(table.end(ids[1]), nil, "once")
    center.post(name: end, object: nil)
    expectNoDifference(log.lines, ["a", "c"])
    for handler in handlers { handler() }
    center.post(name: end, object: nil)
    expectNoDifference(log.lines, ["a", "c"])
    expectNoDifference(table.end(ids[0]), "a", "the system receives the end, too")
  }

  @Test("A task whose time is up before the system has answered expires, and can be ended")
  func timeUpBeforeTheAnswer() throws {
    let log = Trace()
    let id = table.begin(onExpiration: { log("expired") }) { handler in
      handler()
      return "a"
    }
    expectNoDifference(log.lines, ["expired"])
    #expect(table.end(try #require(id)) == "a")
  }

  @Test("Tasks that several threads begin and end at the same time are different ones, ended once")
  func severalThreads() async {
    let ended = Locked<[String]>([])
    let ids = Locked<Set<BackgroundTaskID>>([])
    await awaitOtherThreads(4) { [table] thread in
      for number in 0..<100 {
        let name = "\(thread) \(number)"
        guard let id = table.begin(onExpiration: {}, ask: { _ in name }) else { continue }
        ids.withLock { _ = $0.insert(id) }
        for _ in 0..<2 {
          if let found = table.end(id) { ended.withLock { $0.append(found) } }
        }
      }
    }
    expectNoDifference(ids.withLock { $0.count }, 400)
    let names = (0..<4).flatMap { thread in (0..<100).map { "\(thread) \($0)" } }
    expectNoDifference(ended.withLock { $0.sorted() }, names.sorted())
  }

  @Test("The remaining time of UIKit is limited to 30 seconds")
  func timeOfUIKit() {
    let values = [Double.greatestFiniteMagnitude, 178, 30, 12.5, 0, -1]
    expectNoDifference(
      values.map(UIKitGrant.remainingTime),
      [.seconds(30), .seconds(30), .seconds(30), .seconds(12.5), .zero, .zero]
    )
  }
}
