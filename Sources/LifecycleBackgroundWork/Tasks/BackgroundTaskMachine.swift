/// A pure state machine that decides which tasks share the host's grant, and what to request of the
/// host.
///
/// `requestGrant` requires an answer, `granted`. Until the answer comes, tasks may begin and end,
/// and time may already be up.
struct BackgroundTaskMachine: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    /// Request time from the host, and call `granted` with its answer to the request of this
    /// number.
    case requestGrant(Int)
    /// Give the time back.
    case endGrant(BackgroundTaskID)
  }

  private enum Grant: Hashable, Sendable {
    case none
    case requested
    case held(BackgroundTaskID)
    /// Time is up, and the expiration handlers are running.
    case expiring(Answer)
    /// The handlers have run, and the host has not answered yet.
    case expired
  }

  private enum Answer: Hashable, Sendable {
    case outstanding
    case granted(BackgroundTaskID)
    /// A refusal after time was up, which no host should give.
    case refused
  }

  private var grant = Grant.none
  private var lastRequest = 0
  private var lastTask = 0
  /// The tasks that share the grant, in the order in which they were begun.
  private(set) var grantedTasks: [Int] = []

  /// Begins a task. It has no grant while the previous grant is being given back.
  mutating func begin() -> (task: Int, action: Action?) {
    lastTask += 1
    switch grant {
    case .none:
      grantedTasks.append(lastTask)
      grant = .requested
      lastRequest += 1
      return (lastTask, .requestGrant(lastRequest))
    case .requested, .held:
      grantedTasks.append(lastTask)
    case .expiring, .expired: break
    }
    return (lastTask, nil)
  }

  /// Records the host's answer. A refusal leaves the tasks without a grant.
  mutating func granted(_ id: BackgroundTaskID?) -> Action? {
    switch grant {
    case .requested:
      guard let id else {
        grantedTasks = []
        grant = .none
        return nil
      }
      grant = .held(id)
      return endUnusedGrant()
    case .expiring:
      grant = .expiring(id.map(Answer.granted) ?? .refused)
      return nil
    case .expired:
      grant = .none
      return id.map(Action.endGrant)
    case .none, .held:
      return id.map(Action.endGrant)
    }
  }

  mutating func end(_ task: Int) -> Action? {
    guard let position = grantedTasks.firstIndex(of: task) else { return nil }
    grantedTasks.remove(at: position)
    return endUnusedGrant()
  }

  /// Records that the time of a request is up.
  ///
  /// - Returns: Whether to run the handlers: first those of `nextExpired`, then `finishExpiring`.
  mutating func expire(_ request: Int) -> Bool {
    guard request == lastRequest else { return false }
    switch grant {
    case .requested: grant = .expiring(.outstanding)
    case .held(let id): grant = .expiring(.granted(id))
    case .none, .expiring, .expired: return false
    }
    return true
  }

  /// Returns the next task whose time is up, which ends it.
  mutating func nextExpired() -> Int? {
    grantedTasks.isEmpty ? nil : grantedTasks.removeFirst()
  }

  mutating func finishExpiring() -> Action? {
    guard case .expiring(let answer) = grant else { return nil }
    grant = answer == .outstanding ? .expired : .none
    return if case .granted(let id) = answer { .endGrant(id) } else { nil }
  }

  private mutating func endUnusedGrant() -> Action? {
    guard grantedTasks.isEmpty, case .held(let id) = grant else { return nil }
    grant = .none
    return .endGrant(id)
  }
}
