import CustomDump
import Foundation
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

struct RecordedFailure: Error, Equatable {
  var code = 1
}

/// A publisher that sends its subscriber whatever a test wants, the Combine protocol or not.
final class RoguePublisher: Publisher, @unchecked Sendable {
  typealias Output = Int
  typealias Failure = RecordedFailure

  /// What is done when somebody subscribes.
  var onSubscribe: (RoguePublisher) -> Void = { $0.subscribe() }
  private(set) var subscriber: AnySubscriber<Int, RecordedFailure>?
  private let log = Locked<[String]>([])
  /// What was asked of the subscriptions.
  var asked: [String] { log.withLock { $0 } }

  func receive<S: Subscriber<Int, RecordedFailure>>(subscriber: S) {
    self.subscriber = AnySubscriber(subscriber)
    onSubscribe(self)
  }

  func subscribe(as name: String = "") {
    subscriber?.receive(subscription: RogueSubscription(self, name))
  }

  func send(_ value: Int) { _ = subscriber?.receive(value) }

  func finish(_ completion: Subscribers.Completion<RecordedFailure> = .finished) {
    subscriber?.receive(completion: completion)
  }

  func drop() { subscriber = nil }

  private final class RogueSubscription: Subscription {
    private let publisher: RoguePublisher
    private let name: String

    init(_ publisher: RoguePublisher, _ name: String) {
      self.publisher = publisher
      self.name = name
    }

    func request(_ demand: Subscribers.Demand) {
      publisher.log.withLock { $0.append("\(name)request \(demand)") }
    }

    func cancel() {
      publisher.log.withLock { $0.append("\(name)cancel") }
    }
  }
}

/// An element that is not `Sendable`.
final class Box {
  var value: Int

  init(_ value: Int) { self.value = value }
}

/// A sequence whose elements come as a test sends them, and which may throw.
final class SentSequence<Element>: AsyncSequence, AsyncIteratorProtocol {
  typealias Failure = RecordedFailure

  private var results: [Result<Element?, RecordedFailure>]

  init(_ results: [Result<Element?, RecordedFailure>]) {
    self.results = results
  }

  func makeAsyncIterator() -> SentSequence { self }

  func next() async throws -> Element? { try await next(isolation: nil) }

  func next(
    isolation: isolated (any Actor)?
  ) async throws(RecordedFailure) -> Element? {
    try results.isEmpty ? nil : results.removeFirst().get()
  }
}

/// Expects what is reported while the body runs, each with its place: `+2: The background task …`,
/// two lines below the call.
func expectFailures(
  _ expected: String...,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  _ body: () throws -> Void
) rethrows {
  let found = try reportedIssues(body).map { text(of: $0, line) }
  expectNoDifference(found, expected, fileID: fileID, filePath: filePath, line: line)
}

/// The same for a body that waits.
func expectFailures(
  _ expected: String...,
  isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  _ body: () async throws -> Void
) async rethrows {
  let found = try await reportedIssues(isolation: isolation, body).map { text(of: $0, line) }
  expectNoDifference(found, expected, fileID: fileID, filePath: filePath, line: line)
}

private func text(of issue: ReportedIssue, _ line: UInt) -> String {
  "+\(issue.line - Int(line)): \(issue.message)"
}

/// What happened, in order, each with the seconds since the trace began: `1.5 tick`.
final class TimeTrace: Sendable {
  private let trace = Trace()
  private let now: @Sendable () -> Duration

  init(_ clock: ManualClock) {
    let start = clock.continuous
    // What is traced may hold the trace: it must not hold the clock.
    now = { [weak clock] in clock.map { $0.continuous - start } ?? .zero }
  }

  func callAsFunction(_ line: String) { trace("\(now() / .seconds(1)) \(line)") }

  /// Hands out the lines and starts again.
  func take() -> [String] { trace.take() }
}
