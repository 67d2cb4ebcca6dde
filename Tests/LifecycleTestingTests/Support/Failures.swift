import Foundation
import LifecycleCombine
import LifecycleSupport
import ReactiveLifecycle
import TestSupport
import Testing

/// What a test was told, and where.
struct Complaint: Equatable {
  var message: String
  var line: Int

  init(_ message: String, line: Int) {
    self.message = message
    self.line = line
  }
}

/// Runs the body, which is to fail, and returns what was reported of this file's tests.
func complaints(
  isolation: isolated (any Actor)? = #isolation,
  _ body: () async -> Void
) async -> [Complaint] {
  await reportedIssues(isolation: isolation, body).map { issue in
    // What is not shown as different begins with figure spaces.
    Complaint(issue.message.replacing("\u{2007}", with: " "), line: issue.line)
  }
}

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
  /// Sends values as soon as they are requested.
  var onRequest: @Sendable (RoguePublisher) -> Void = { _ in }

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
      publisher.onRequest(publisher)
    }

    func cancel() {
      publisher.log.withLock { $0.append("\(name)cancel") }
    }
  }
}

/// An object of which a test wants to know whether it is alive.
final class LifetimeProbe: Sendable {}

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

/// What is reported while the body runs, each with its place: `+2: The background task …`, two
/// lines below the call.
func failuresOfDouble(
  fileID: String = #fileID,
  line: Int = #line,
  _ body: () throws -> Void
) rethrows -> [String] {
  try reportedIssues(body).map { text(of: $0, fileID, line) }
}

/// The same for a body that waits.
func failuresOfDouble(
  isolation: isolated (any Actor)? = #isolation,
  fileID: String = #fileID,
  line: Int = #line,
  _ body: () async throws -> Void
) async rethrows -> [String] {
  try await reportedIssues(isolation: isolation, body).map { text(of: $0, fileID, line) }
}

private func text(of issue: ReportedIssue, _ fileID: String, _ line: Int) -> String {
  let file = issue.fileID == fileID ? "" : "\(issue.fileID) "
  return "\(file)+\(issue.line - line): \(issue.message)"
}
