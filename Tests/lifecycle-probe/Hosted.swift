import ArgumentParser
import Dispatch
import Foundation
import LifecycleSupport
import ReactiveLifecycle
import Testing
import XCTest

/// A program that hosts tests, as the application does in which Xcode runs them: it uses the bus at
/// its launch and in a callback, and the tests of a framework run in its process meanwhile.
struct Hosted: ParsableCommand {
  enum Framework: String, ExpressibleByArgument {
    case swiftTesting, xcTest
  }

  @Argument var framework: Framework

  func run() {
    printUse("launch")
    MainActor.assumeIsolated { Callback.install() }
    switch framework {
    case .swiftTesting:
      Task { Foundation.exit(await Testing.__swiftPMEntryPoint(passing: .init())) }
      dispatchMain()
    case .xcTest:
      let tests: [(String, (HostedXCTests) -> () throws -> Void)] = [
        ("testUse", HostedXCTests.testUse), ("testCallback", HostedXCTests.testCallback),
      ]
      Foundation.exit(XCTMain([testCase(tests)], arguments: ["hosted"]))
    }
  }
}

private func printUse(_ text: String) {
  let isLive = LifecycleBus.application === LifecycleBus.liveApplication
  printLine("\(text): \(isLive ? "live" : "unimplemented")")
}

/// A callback of the program on the main thread, which a test can cause, and wait for.
private enum Callback {
  private static let finish = Locked<(@Sendable () -> Void)?>(nil)
  @MainActor
  private static let source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .main)

  @MainActor static func install() {
    signal(SIGUSR1, SIG_IGN)
    source.setEventHandler {
      printUse("callback")
      finish.exchange(nil)?()
    }
    source.activate()
  }

  static func cause(finish: @escaping @Sendable () -> Void) {
    self.finish.exchange(finish)
    kill(getpid(), SIGUSR1)
  }
}

/// Uses the bus as the tests of both frameworks do.
private func useBus() {
  printUse("test")
  LifecycleBus.withApplication(.liveApplication) { printUse("replaced") }
  let isDone = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    printUse("thread")
    isDone.signal()
  }
  isDone.wait()
}

@Suite("A hosted suite", .serialized) struct HostedTests {
  @Test("A use") func use() { useBus() }

  @Test("A callback") func callback() async {
    await withCheckedContinuation { continuation in Callback.cause { continuation.resume() } }
  }
}

final class HostedXCTests: XCTestCase {
  func testUse() { useBus() }

  func testCallback() {
    let called = expectation(description: "called")
    Callback.cause { called.fulfill() }
    wait(for: [called], timeout: 60)
  }
}
