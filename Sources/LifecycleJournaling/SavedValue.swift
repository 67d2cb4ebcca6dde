public import LifecycleCore
import LifecycleSupport

extension LifecycleJournal {
  /// Saves a value each time that the bus delivers `didEnterBackground` or `willTerminate`, and at
  /// the end of each fetch in the background, until the scope ends. If an input fills in a
  /// `didEnterBackground` on the way to `willTerminate`, the value is saved at the former only, and
  /// what observers of `willTerminate` change is not saved.
  ///
  /// The next launch restores it by ``value(_:forKey:)``:
  ///
  /// ```swift
  /// draft.text = try journal.value(forKey: "draft") ?? ""
  /// journal.saveValue(forKey: "draft", in: scope) { draft.text }
  /// ```
  ///
  /// The closure runs on the main actor, in the journal's turn: after the observers of the event
  /// that were registered after the journal. Everything that is saved at an event is one entry
  /// with the transition itself, so that saving causes no additional write. At the end of a fetch,
  /// it is a separate entry, which is written before the host receives the result. For details, see
  /// <doc:Journal>.
  ///
  /// A value that can't be encoded, or for which there is no room, is reported at the caller's
  /// line; the value saved before, and all others, are kept. If the scope has ended, or if the
  /// journal records a `NonisolatedLifecycleBus`, nothing will be saved, which is reported there,
  /// too. After ``end()``, nothing is saved.
  ///
  /// - Parameters:
  ///   - key: The name of the value. Replaces what the scope saves under the same key. Of several
  ///     scopes that save under one key, the last to begin counts, until it ends.
  ///   - scope: The scope that ends this. The saved value is kept.
  ///   - value: Returns the value to save; nil removes the one saved before.
  public func saveValue<Value: Encodable>(
    forKey key: String,
    in scope: consuming LifecycleScope,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ value: @escaping @MainActor () -> Value?
  ) {
    let site = CallSite(fileID, filePath, line, column)
    guard bus.deliversOnMainActor else {
      return site.report(
        """
        The value for "\(key)" won't be saved because the journal \(core.path) records a \
        NonisolatedLifecycleBus, which does not deliver on the main actor. Call \
        saveNonisolatedValue instead.
        """
      )
    }
    let provide = onMainActor(value)
    // The conformance of a type may be isolated to the main actor, and so is the call.
    let encode = UncheckedSendable { try Self.encode(provide()) }
    let value = SavedValue(forKey: key, in: scope.name, site) { try encode.value() }
    observe(for: value, in: (consume scope).core, site)
  }

  /// Saves a value that need not be read on the main actor, like
  /// ``saveValue(forKey:in:fileID:filePath:line:column:_:)``.
  ///
  /// The closure runs on the thread that sends the event, or on the main actor if the journal
  /// records a `LifecycleBus`.
  ///
  /// - Parameters:
  ///   - key: The name of the value. Replaces what the scope saves under the same key.
  ///   - scope: The scope that ends this. The saved value is kept.
  ///   - value: Returns the value to save; nil removes the one saved before.
  public func saveNonisolatedValue<Value: Encodable & SendableMetatype>(
    forKey key: String,
    in scope: consuming LifecycleScope,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ value: @escaping @Sendable () -> Value?
  ) {
    let site = CallSite(fileID, filePath, line, column)
    let value = SavedValue(forKey: key, in: scope.name, site) { try Self.encode(value()) }
    observe(for: value, in: (consume scope).core, site)
  }

  /// Identifies a saved value among the observers of its scope.
  private struct SavedValueID: Hashable {
    let journal: ObjectIdentifier
    let key: String
  }

  private func observe(for value: SavedValue, in scope: ScopeCore, _ site: CallSite) {
    let id = SavedValueID(journal: ObjectIdentifier(core), key: value.key)
    let observer = bus.addObserver(SavedValueMachine.kinds, in: scope, id: id, site) {
      [weak core, weak row, weak bus] event in
      guard value.receive(event, for: core), !event.kind.isTransition else { return }
      if let core, let row, let bus { core.saveValues(inTurnOf: row, of: bus) }
    }
    value.hold(observer)
  }
}

/// A value that the program provides whenever it is to be saved.
final class SavedValue: Sendable {
  /// A value as it is to be recorded: encoded, or nil if there is none.
  typealias Change = (value: SavedValue, bytes: [UInt8]?)

  private struct State {
    var machine = SavedValueMachine()
    var observer: ObserverRow?
  }

  let key: String
  private let site: CallSite
  private let scope: String
  private let provide: @Sendable () throws -> [UInt8]?
  private let state = Locked(State())

  /// - Parameter provide: Returns the encoded value; nil for none.
  init(
    forKey key: String,
    in scope: String,
    _ site: CallSite,
    _ provide: @escaping @Sendable () throws -> [UInt8]?
  ) {
    self.key = key
    self.scope = scope
    self.site = site
    self.provide = provide
  }

  /// Sets the observer that ends the provision.
  ///
  /// The observer holds the value. That cycle ends with the observer.
  func hold(_ observer: ObserverRow) {
    state.withLock { $0.observer = observer }
  }

  /// A Boolean value that indicates whether the program still provides the value.
  var isProvided: Bool { state.withLock { $0.observer }?.isLive ?? true }

  var location: LifecycleObserverLocation {
    LifecycleObserverLocation(scope: scope, fileID: "\(site.fileID)", line: site.line)
  }

  /// Enters the value for the journal's turn, if it is to be asked for at the event.
  ///
  /// - Returns: True if it is.
  func receive(_ event: LifecycleEvent, for journal: JournalCore?) -> Bool {
    guard let journal, !journal.isClosed else {
      state.withLock { $0.observer }?.cancel()
      return false
    }
    guard state.withLock({ $0.machine.asks(at: event) }) else { return false }
    journal.savedValues.add(self, isNewest: !event.kind.isTransition)
    return true
  }

  /// Asks for the value.
  ///
  /// - Returns: The encoded value; nil for none.
  func encoded() throws(LifecycleJournal.WriteError) -> [UInt8]? {
    do {
      return try provide()
    } catch {
      throw .cannotEncode(key: key, reason: "\(error)")
    }
  }

  /// Reports a problem where the value was registered.
  func report(_ problem: String) { site.report(problem) }

  func report(_ error: LifecycleJournal.WriteError) { site.report(error.description) }
}

/// The state machine that determines at which events a saved value is asked for.
///
/// These are `didEnterBackground` and `willTerminate`, except that a `didEnterBackground` that was
/// only filled in on the way to `willTerminate` stands for both, and the end of a fetch in the
/// background: a process that was launched there does not enter it.
struct SavedValueMachine {
  private var filledIn: LifecycleEvent?

  static let kinds: LifecycleEvent.Kinds = [
    .didEnterBackground, .willTerminate, .backgroundFetchDidComplete,
  ]

  /// Returns a Boolean value that indicates whether the value is asked for at an event.
  mutating func asks(at event: LifecycleEvent) -> Bool {
    let previous = filledIn.take()
    switch event.kind {
    case .didEnterBackground:
      if event.origin == .synthesized { filledIn = event }
      return true
    case .willTerminate:
      guard let previous else { return true }
      return event.sequenceNumber != previous.sequenceNumber + 1
        || event.instant != previous.instant
    case .backgroundFetchDidComplete:
      return !event.phase.isForeground
    default:
      return false
    }
  }
}

/// The saved values that wait for the journal's turn in an event.
///
/// Their observers, which receive the event first, add them; the journal then asks for all of them
/// and writes them in one entry.
final class SavedValueQueue: Sendable {
  private struct State {
    var waiting: [SavedValue] = []
    var running: SavedValue?
  }

  private let state = Locked(State())

  /// - Parameter isNewest: Whether the value was registered after those that wait, or before them.
  func add(_ value: SavedValue, isNewest: Bool) {
    state.withLock { state in
      state.waiting.insert(value, at: isNewest ? 0 : state.waiting.endIndex)
    }
  }

  func removeAll() {
    state.discard { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// The location that registered the value that is being asked for.
  var runningLocation: LifecycleObserverLocation? {
    state.withLock { $0.running }?.location
  }

  /// Asks for the values that wait, without a lock, and removes them.
  ///
  /// Of several values under one key, only the newest is asked for. A value that can't be encoded
  /// is left out, which is reported where it was registered.
  func takeChanges() -> [SavedValue.Change] {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    if waiting.isEmpty { return [] }
    var keys: Set<String> = []
    var changes: [SavedValue.Change] = []
    // The newest comes first: downward transitions are delivered in reverse order.
    for value in waiting where value.isProvided && keys.insert(value.key).inserted {
      state.discard { state in
        defer { state.running = value }
        return state.running
      }
      do throws(LifecycleJournal.WriteError) {
        changes.append((value, try value.encoded()))
      } catch {
        value.report(error)
      }
    }
    state.discard { $0.running.take() }
    return changes
  }
}
