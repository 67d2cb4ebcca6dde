import Testing

// Stands for swift-composable-architecture 1.25.5, as far as a sample uses it, with the labels and
// constraints of https://github.com/pointfreeco/swift-composable-architecture. There, an effect may
// leave the main actor, and `TestStore` brings all tasks back to it (`useMainSerialExecutor`); here,
// an effect is on the main actor from the start.

protocol Reducer<State, Action> {
  associatedtype State
  associatedtype Action

  func reduce(into state: inout State, action: Action) -> Effect<Action>
}

struct Send<Action>: Sendable {
  let send: @MainActor @Sendable (Action) -> Void

  func callAsFunction(_ action: Action) async where Action: Sendable { await send(action) }
}

struct Effect<Action>: Sendable {
  typealias Operation = @MainActor @Sendable (_ send: Send<Action>) async throws -> Void

  fileprivate var operations: [Operation] = []

  static var none: Self { Self() }

  static func run(operation: @escaping Operation) -> Self { Self(operations: [operation]) }

  static func merge(_ effects: Self...) -> Self { Self(operations: effects.flatMap(\.operations)) }
}

@MainActor
final class TestStore<State: Equatable, Action: Equatable & Sendable> {
  private(set) var state: State
  private let reduce: (inout State, Action) -> Effect<Action>
  private var received: [Action] = []

  init(
    initialState: State,
    reducer: () -> some Reducer<State, Action>,
    withDependencies prepareDependencies: (inout DependencyValues) -> Void
  ) {
    state = initialState
    reduce = withDependencies(prepareDependencies, operation: reducer).reduce
  }

  func send(_ action: Action) async -> TestStoreTask {
    let effect = reduce(&state, action)
    return TestStoreTask {
      let send = Send<Action> { self.received.append($0) }
      await withTaskGroup(of: Void.self) { group in
        for operation in effect.operations { group.addTask { try? await operation(send) } }
      }
    }
  }

  func receive(_ action: Action, assert update: (inout State) -> Void) async {
    guard !received.isEmpty else {
      Issue.record("No action was received.")
      return
    }
    #expect(received.removeFirst() == action)
    var expected = state
    update(&expected)
    _ = reduce(&state, action)
    #expect(state == expected)
  }
}

@MainActor
final class TestStoreTask {
  private let task: Task<Void, Never>
  private var isCancelled = false

  init(_ operation: @escaping @MainActor @Sendable () async -> Void) {
    task = Task(operation: operation)
  }

  func cancel() async {
    isCancelled = true
    task.cancel()
    await task.value
  }

  deinit {
    if !isCancelled { Issue.record("An effect returned for this action is still running.") }
  }
}
