import ArgumentParser
import LifecycleSupport
import ReactiveLifecycle
import TestSupport

/// What an observer of exit requests answers.
enum ProbeAnswer: String, ExpressibleByArgument {
  case exit, cancel

  /// `cancel`, after a tenth of a second, unless it is cancelled itself.
  case cancelLate

  /// Nothing, until it is cancelled.
  case never
}

/// The answers of the probe, one after the other.
final class ProbeAnswers: Sendable {
  private let answers: Locked<[ProbeAnswer]>

  init(_ answers: [ProbeAnswer]) {
    self.answers = Locked(answers)
  }

  func answer(_ request: LifecycleExitRequest) async -> LifecycleExitRequest.Response {
    let answer = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    emit(.exitRequest(request.metadata["signal"] ?? "", answer: answer.rawValue))
    switch answer {
    case .exit: return .exit
    case .cancel: return .cancel
    case .cancelLate:
      do {
        try await Task.sleep(for: .milliseconds(100))
      } catch {
        return .exit
      }
      emit(.exitRequest(request.metadata["signal"] ?? "", answer: "cancel"))
      return .cancel
    case .never:
      try? await Task.sleep(for: .seconds(1_000_000))
      emit(.exitRequestWithdrawn)
      return .exit
    }
  }
}
