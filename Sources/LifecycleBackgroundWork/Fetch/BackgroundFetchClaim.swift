import LifecycleSupport

/// A connection's claim to the handler of its host. A newer claim, of any coordinator, replaces it.
struct BackgroundFetchClaim: Sendable {
  private struct State {
    var last = 0
    /// The newest claim to each host. A claim that has not ended keeps its host alive.
    var newest: [ObjectIdentifier: Int] = [:]
  }

  private static let state = Locked(State())

  /// The identity of the host; nil for a value, which can't be distinguished from another one.
  private let host: ObjectIdentifier?
  private let number: Int

  /// - Parameter host: The host, which must live until the claim ends.
  init(on host: some BackgroundFetchHost) {
    let identifier = type(of: host) is AnyClass ? ObjectIdentifier(host as AnyObject) : nil
    self.host = identifier
    number = Self.state.withLock { state in
      state.last += 1
      if let identifier { state.newest[identifier] = state.last }
      return state.last
    }
  }

  /// Ends the claim. To be called once.
  ///
  /// - Returns: Whether the host's handler is the one that this claim was made for.
  func end() -> Bool {
    guard let host else { return true }
    return Self.state.withLock { state in
      guard state.newest[host] == number else { return false }
      state.newest[host] = nil
      return true
    }
  }
}
