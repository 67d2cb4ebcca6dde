import IssueReporting
import OpenCombineShim

/// Owns subscriptions, and ends them together: explicitly, with its parent, at an event, or when it
/// is released. It ends once.
///
/// Ending cancels everything in reverse order of insertion, on the thread that ends it. A scope does
/// not keep its parent alive, nor a parent its children.
///
/// ```swift
/// let scope = LifecycleScope("rental list")
/// bus.addObserver(in: scope) { event, stay in refresh(after: stay.duration) }
/// scope.end()
/// ```
///
/// A closure that captures the scope's owner strongly keeps it alive until the scope ends; capture
/// it weakly, or register the owner instead of a scope.
public final class LifecycleScope: Sendable {
  /// The name that reports show.
  public let name: String

  private let state = Locked(State())

  private struct State {
    var entries = RegistrationTable<Entry>()
    var parentEntry: EntryReference?
    var isEnded = false
  }

  /// What a scope holds.
  enum Entry: Sendable {
    case observer(ObserverRow)
    case cancellable(CancellableBox)
    case ending(BusCore, id: Int)
    case child(WeakScope)

    func end() {
      switch self {
      case .observer(let row): row.cancel()
      case .cancellable(let box): box.cancel()
      case .ending(let core, let id): core.removeEnding(id)
      case .child(let child): child.scope?.end()
      }
    }
  }

  /// The way back from what a scope holds to its entry.
  struct EntryReference: Sendable {
    weak let scope: LifecycleScope?
    let id: Int

    /// Takes the entry out of the scope, which has no more to do with it.
    func withdraw() {
      scope?.withdraw(id)
    }
  }

  struct WeakScope: Sendable {
    weak let scope: LifecycleScope?
  }

  /// A scope.
  ///
  /// - Parameters:
  ///   - name: What reports show.
  ///   - parent: Ends this scope when it ends. If it has ended already, so has this scope, and that
  ///     is reported at the caller's line.
  public init(
    _ name: String = "",
    parent: LifecycleScope? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.name = name
    guard let parent else { return }
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    parent.insert(site) { id in
      let entry = EntryReference(scope: parent, id: id)
      state.withLock { $0.parentEntry = entry }
      return .child(WeakScope(scope: self))
    }
  }

  deinit {
    end()
  }

  /// Whether the scope has ended.
  public var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Cancels everything that the scope holds, last in first out. The second call does nothing.
  ///
  /// Any thread; the cancellations run on it, and so does what an `AnyCancellable` does when it is
  /// cancelled. What an observer of a ``LifecycleBus`` captured is released on the main actor. O(n)
  /// in what the scope holds.
  public func end() {
    let (entries, parentEntry) = state.withLock { state in
      state.isEnded = true
      return (state.entries.removeAll(), state.parentEntry.take())
    }
    for entry in entries.reversed() { entry.end() }
    parentEntry?.withdraw()
  }

  /// Ends the scope at the next event of one of the kinds: after that event has reached every
  /// observer, before the next.
  ///
  /// ```swift
  /// scope.end(at: .didEnterBackground, .willTerminate, on: bus)
  /// ```
  ///
  /// On a scope that has ended this is reported at the caller's line and does nothing else. On a bus
  /// that has ended it does nothing: no event will come.
  public func end(
    at kind: LifecycleEvent.Kind,
    _ kinds: LifecycleEvent.Kind...,
    on bus: some LifecycleBusProtocol,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let core = bus.core.core
    let ending = ScopeEnding(kinds: Set(kinds).union([kind]), scope: self)
    guard let id = core.addEnding(ending) else { return }
    insert(site) { _ in .ending(core, id: id) }
  }

  // MARK: Entries

  /// Takes in the entry that `makeEntry` makes of its number; under the scope's lock, so it must do
  /// nothing but that. On an ended scope the entry is ended at once, which is reported at the
  /// caller's line.
  func insert(_ site: CallSite, makeEntry: @Sendable (Int) -> Entry) {
    let rejected = state.withLock { state -> Entry? in
      guard !state.isEnded else { return makeEntry(-1) }
      _ = state.entries.append(makeEntry)
      return nil
    }
    guard let rejected else { return }
    rejected.end()
    reportIssue(
      """
      Something was added to the scope "\(name)" after it had ended, and was cancelled at once. \
      Make a new scope for each appearance.
      """,
      fileID: site.fileID,
      filePath: site.filePath,
      line: site.line,
      column: site.column
    )
  }

  private func withdraw(_ id: Int) {
    _ = state.withLock { $0.entries.remove(id) }
  }
}

/// A scope that ends at an event of a bus.
struct ScopeEnding: Sendable {
  let kinds: Set<LifecycleEvent.Kind>
  weak let scope: LifecycleScope?
}
