/// What a scope holds. What it holds keeps the core alive, never the scope: the scope ends the core
/// when it is released.
final class ScopeCore: Sendable {
  let name: String

  private let state = Locked(State())

  private struct State {
    var entries = RegistrationTable<Entry>()
    var membership: ScopeMembership?
    var isEnded = false
  }

  enum Entry: Sendable {
    case observer(ObserverRow)
    case cancellable(CancellableBox)
    case ending(ScopeEndingEntry)
    case child(ScopeCore)
    case backgroundTask(BackgroundTaskCore)
    case fetchHandler(BackgroundFetchHandler)

    func end() {
      switch self {
      case .observer(let row): row.cancel()
      case .cancellable(let box): box.cancel()
      case .ending(let ending): ending.bus.removeEnding(ending.id)
      case .child(let child): child.end()
      case .backgroundTask(let task): task.end()
      case .fetchHandler(let handler): handler.remove()
      }
    }

    /// Whether the scope has nothing to do with it any more. Those that are not cancellables give up
    /// their places themselves.
    var hasEnded: Bool {
      if case .cancellable(let box) = self { box.hasEnded } else { false }
    }
  }

  /// What there is to do when a scope has ended.
  private struct Remains {
    var entries: [Entry]
    let membership: ScopeMembership?
  }

  init(name: String) {
    self.name = name
  }

  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// How many places the scope keeps, those included that have been given up.
  var entryCount: Int { state.withLock { $0.entries.slotCount } }

  /// Takes note of the core's own place in its parent.
  func join(_ membership: ScopeMembership) {
    state.withLock { $0.membership = membership }
  }

  func end() {
    // A loop, for scopes may be nested deeper than the stack has room for.
    var outer: [Remains] = []
    var current = close()
    while true {
      if let entry = current.entries.popLast() {
        guard case .child(let child) = entry else {
          entry.end()
          continue
        }
        outer.append(current)
        current = child.close()
      } else {
        current.membership?.withdraw()
        guard let parent = outer.popLast() else { return }
        current = parent
      }
    }
  }

  private func close() -> Remains {
    state.withLock { state in
      state.isEnded = true
      return Remains(entries: state.entries.removeAll(), membership: state.membership.take())
    }
  }

  /// Ends the scope at the next event of the kinds, or with the bus. Of one that has ended this is
  /// reported at the caller's line.
  func end(at kinds: Set<LifecycleEvent.Kind>, on bus: BusCore, _ site: CallSite) {
    guard !isEnded else { return reportEnd(site) }
    guard let id = bus.addEnding(ScopeEnding(kinds: kinds, scope: self)) else { return end() }
    // On another thread the event may have come, and is no misuse.
    admit { _ in .ending(ScopeEndingEntry(bus: bus, id: id)) }
  }

  /// Takes in what is to be cancelled. Each time it looks at a few others, so that those that have
  /// ended elsewhere don't pile up.
  func store(_ box: CancellableBox, _ site: CallSite) {
    let ended = state.withLock { $0.entries.sweep(4) { $0.hasEnded } }
    // Otherwise optimized code releases them under the lock.
    withExtendedLifetime(ended) {}
    insert(site) { _ in .cancellable(box) }
  }

  /// Takes in the entry that `makeEntry` makes of its place; under the scope's lock, so it must do
  /// nothing but that. On an ended scope the entry is ended at once, which is reported at the
  /// caller's line.
  func insert(_ site: CallSite, makeEntry: @Sendable (ScopeMembership) -> Entry) {
    if !admit(makeEntry: makeEntry) { reportEnd(site) }
  }

  /// Takes in an entry like ``insert(_:makeEntry:)``, without a report.
  ///
  /// - Returns: False if the scope has ended, and with it the entry.
  @discardableResult
  func admit(makeEntry: @Sendable (ScopeMembership) -> Entry) -> Bool {
    let rejected = state.withLock { state -> Entry? in
      guard !state.isEnded else { return makeEntry(ScopeMembership(scope: self, id: -1)) }
      _ = state.entries.append { makeEntry(ScopeMembership(scope: self, id: $0)) }
      return nil
    }
    rejected?.end()
    return rejected == nil
  }

  private func reportEnd(_ site: CallSite) {
    site.report(
      """
      Something was added to the scope "\(name)" after it had ended, and was cancelled at once. \
      Make a new scope for each appearance.
      """
    )
  }

  func withdraw(_ id: Int) {
    let entry = state.withLock { $0.entries.remove(id) }
    withExtendedLifetime(entry) {}
  }
}

/// A place in a scope.
struct ScopeMembership: Sendable {
  let scope: ScopeCore
  let id: Int

  /// Gives up the place: the scope has no more to do with what was there.
  func withdraw() {
    scope.withdraw(id)
  }
}

/// A scope that ends at an event of a bus, or else with the bus.
struct ScopeEnding: Sendable {
  let kinds: Set<LifecycleEvent.Kind>
  let scope: ScopeCore
}

/// The way back from a scope to its `ScopeEnding`.
final class ScopeEndingEntry: Sendable {
  let bus: BusCore
  let id: Int

  init(bus: BusCore, id: Int) {
    self.bus = bus
    self.id = id
  }
}
