import LifecycleSupport

/// The contents of a scope. They keep the core alive, never the scope, which ends the core when it
/// is released.
///
/// `@unchecked Sendable`, because its superclass is no `NSObject`. A lock guards all its state.
package final class ScopeCore: ScopeEntry, @unchecked Sendable {
  let name: String

  private let state = Locked(State())

  private struct State {
    var entries = RegistrationTable<ScopeEntry>()
    var membership: ScopeMembership?
    var isEnded = false
    /// A Boolean value that indicates whether the release of the scope ended the core.
    var wasReleased = false
  }

  /// The work that is left when a scope has ended.
  private struct Remains {
    var entries: [ScopeEntry]
    let membership: ScopeMembership?
  }

  init(name: String) {
    self.name = name
    super.init()
  }

  package var isEnded: Bool { state.withLock { $0.isEnded } }

  /// The number of places that the scope keeps, including those that have been given up.
  package var entryCount: Int { state.withLock { $0.entries.slotCount } }

  /// Records the core's place in its parent.
  func join(_ membership: ScopeMembership) {
    state.withLock { $0.membership = membership }
  }

  override func end() { end(byRelease: false) }

  /// Ends the core unless it has ended. Anything that is added afterwards comes from a call that
  /// received the scope as an argument and held the last reference to it.
  func scopeWasReleased() { end(byRelease: true) }

  private func end(byRelease: Bool) {
    // A loop, because scopes may be nested deeper than the stack allows.
    var outer: [Remains] = []
    var current = close(byRelease: byRelease)
    while true {
      if let entry = current.entries.popLast() {
        guard let child = entry as? ScopeCore else {
          if byRelease, outer.isEmpty, let task = entry as? ScopeTask, let call = task.call,
            call == current.membership?.scope.runningCall
          {
            reportEnd(task.site)
          }
          entry.end()
          continue
        }
        outer.append(current)
        current = child.close(byRelease: false)
      } else {
        current.membership?.withdraw()
        guard let parent = outer.popLast() else { return }
        current = parent
      }
    }
  }

  private func close(byRelease: Bool) -> Remains {
    state.withLock { state in
      if byRelease && !state.isEnded { state.wasReleased = true }
      state.isEnded = true
      return Remains(entries: state.entries.removeAll(), membership: state.membership.take())
    }
  }

  /// The call of an observer that the calling thread is in, if one of the scope's first members
  /// observes that bus, and the bus delivers on the main actor alone. Not all members are asked: a
  /// scope may have many, and this is only for a report.
  private var runningCall: ObserverCall? {
    guard MainQueue.isCurrent else { return nil }
    return state.withLock { $0.entries.first(of: 32) { $0.observedBus } }?.runningCall
  }

  /// The same, of the parent. A child scope that is made and released in one call is a temporary
  /// one, and its task would be cancelled without a word.
  var runningCallInParent: ObserverCall? { state.withLock { $0.membership?.scope }?.runningCall }

  /// Adds an entry that may end elsewhere. Each call checks a few other entries, so that those that
  /// have ended elsewhere don't accumulate.
  func store(_ entry: ScopeEntry, _ site: CallSite) {
    state.discard { $0.entries.sweep(4) { $0.hasEnded } }
    insert(site) { _ in entry }
  }

  /// Adds the entry that `makeEntry` makes for its place. If the scope has ended, the entry is
  /// ended at once, and this is reported at the caller's line.
  ///
  /// - Parameter makeEntry: Called under the scope's lock, so it must do nothing but make the
  ///   entry.
  func insert(_ site: CallSite, makeEntry: @Sendable (ScopeMembership) -> ScopeEntry) {
    if !admit(makeEntry: makeEntry) { reportEnd(site) }
  }

  /// Adds a member of another module. If the scope has ended, the member is ended at once, and this
  /// is reported at the caller's line.
  ///
  /// - Parameters:
  ///   - join: Called with the place of the member, under the scope's lock.
  ///   - end: Ends the member.
  package func insert(
    _ site: CallSite,
    join: @Sendable (ScopeMembership) -> Void,
    end: @escaping @Sendable () -> Void
  ) {
    insert(site) { membership in
      join(membership)
      return EndAction(end)
    }
  }

  /// Adds an entry like ``insert(_:makeEntry:)``, without a report.
  ///
  /// - Returns: False if the scope has ended, and with it the entry.
  @discardableResult
  func admit(makeEntry: @Sendable (ScopeMembership) -> ScopeEntry) -> Bool {
    let rejected = state.withLock { state -> ScopeEntry? in
      guard !state.isEnded else { return makeEntry(ScopeMembership(scope: self, id: -1)) }
      _ = state.entries.append { makeEntry(ScopeMembership(scope: self, id: $0)) }
      return nil
    }
    rejected?.end()
    return rejected == nil
  }

  /// Reports that the scope had ended when something was added.
  ///
  /// - Parameter consequence: What happened immediately.
  func reportEnd(
    _ site: CallSite,
    _ consequence: String = "the member that was added to it was cancelled"
  ) {
    let reason =
      if state.withLock({ $0.wasReleased }) {
        """
        Nothing keeps the scope "\(name)" alive, so it has ended and \(consequence) \
        immediately. Store the scope in a property.
        """
      } else {
        """
        The scope "\(name)" has already ended, so \(consequence) immediately. \
        Create a new scope for each appearance.
        """
      }
    site.report(reason)
  }

  func withdraw(_ id: Int) {
    state.discard { $0.entries.remove(id) }
  }
}

/// An object that a scope holds, and ends when the scope ends.
///
/// A class, because a reference takes half the memory of an existential, and a scope may hold many.
///
/// `@unchecked Sendable`: it has no state. Each subclass documents why its own state is safe.
package class ScopeEntry: @unchecked Sendable {
  init() {}

  /// Ends the entry, because its scope has ended or its handle cancels it, on the thread that does
  /// so. A scope calls it once; a handle may call it again.
  func end() {}

  /// A Boolean value that indicates whether nothing is left to end, so that the scope can release
  /// the entry.
  ///
  /// Called under the lock of a scope, so it must not call other code. An entry that gives up its
  /// place when it ends need not override it.
  var hasEnded: Bool { false }

  /// The bus, if the entry is an observer.
  var observedBus: LifecycleBusCore? { nil }
}

/// A place in a scope.
package struct ScopeMembership: Sendable {
  let scope: ScopeCore
  let id: Int

  /// Gives up the place: the scope no longer holds what was there.
  package func withdraw() {
    scope.withdraw(id)
  }
}

/// A closure that a scope runs when it ends.
///
/// `@unchecked Sendable`, as its superclass is: it adds only a constant, which is `Sendable`.
final class EndAction: ScopeEntry, @unchecked Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    super.init()
  }

  override func end() { body() }
}
