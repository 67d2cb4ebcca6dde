/// Starts tasks, those that an executor runs only where tasks can prefer one: since iOS 18.
package struct TaskStarter: Sendable {
  /// Starts tasks that Swift's pool runs.
  static let pool = TaskStarter { Task(operation: $0) }

  package let start: @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>
}

extension TaskStarter {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  package init(_ executor: any TaskExecutor) {
    start = { Task(executorPreference: executor, operation: $0) }
  }
}
