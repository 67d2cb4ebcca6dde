import LifecycleSupport
import ReactiveLifecycle

/// A value that the program provides whenever it is to be saved.
final class SavedValue: Sendable {
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

  func asks(at event: LifecycleEvent) -> Bool {
    state.withLock { $0.machine.asks(at: event) }
  }

  func cancel() {
    state.withLock { $0.observer }?.cancel()
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

  /// Reports an error where the value was registered.
  func report(_ error: LifecycleJournal.WriteError) {
    site.report(error.description)
  }
}
