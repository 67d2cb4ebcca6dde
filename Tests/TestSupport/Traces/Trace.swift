import LifecycleSupport
public import ReactiveLifecycle

/// What happened in a test, in order, whichever thread it happened on.
public final class Trace: Sendable {
  private let state = Locked<[String]>([])

  public init() {}

  public func callAsFunction(_ line: String) {
    state.withLock { $0.append(line) }
  }

  public var lines: [String] { state.withLock { $0 } }

  /// Hands out the lines and starts again.
  public func take() -> [String] {
    state.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}

extension LifecycleEvent {
  /// The event as traces show it: `3 didBecomeActive inactive→active manual`.
  public var line: String { "\(sequenceNumber) \(kind) \(previousPhase)→\(phase) \(origin)" }

  /// The event as short traces show it: `3 didBecomeActive`.
  public var shortLine: String { "\(sequenceNumber) \(kind)" }
}

extension SuppressedInput {
  /// The input as traces show it: `didBecomeActive duplicate manual`.
  public var line: String { "\(kind) \(reason) \(origin)" }
}

extension LifecycleSendResult {
  /// The outcome as traces show it: `delivered`, `queued`, `suppressed duplicate`.
  public var line: String {
    suppressionReason.map { "suppressed \($0)" } ?? description
  }
}
