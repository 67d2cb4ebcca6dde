public import ReactiveLifecycle

/// A record of when the last fetch of a ``BackgroundFetchScheduler`` began, which outlives the
/// process.
public struct BackgroundFetchRecord: Sendable, Hashable, Codable {
  /// The beginning of the fetch.
  public var began: LifecycleInstant
  /// The boot that the first two readings of ``began`` belong to.
  public var bootID: BootID?

  /// Creates a record, for tests and other stores.
  public init(began: LifecycleInstant, bootID: BootID?) {
    self.began = began
    self.bootID = bootID
  }

  /// Returns the time since the fetch began, which is never negative. If the fetch may have begun
  /// in another boot, the wall clock is used, which may have been set.
  package func age(at now: LifecycleInstant, bootID: BootID?) -> Duration {
    let age = now.continuous - began.continuous
    if bootID != nil, self.bootID == bootID, age >= .zero { return age }
    return max(now.timeSince1970.clamped - began.timeSince1970.clamped, .zero)
  }
}

/// A store in which a ``BackgroundFetchScheduler`` keeps the time of the last fetch.
public struct BackgroundFetchStore: Sendable {
  let load: @Sendable () -> BackgroundFetchRecord?
  let save: @Sendable (BackgroundFetchRecord) -> Void

  /// Creates a custom store, such as one for a value of a `LifecycleJournal`.
  ///
  /// ```swift
  /// let store = BackgroundFetchStore(
  ///   load: { try? journal.value(BackgroundFetchRecord.self, forKey: "fetch") },
  ///   save: { try? journal.set($0, forKey: "fetch") }
  /// )
  /// ```
  ///
  /// A record that can't be loaded counts as none. If one can't be saved, the next launch counts
  /// the interval from the record before it.
  ///
  /// - Parameters:
  ///   - load: Called on the thread that creates the scheduler, once, when it is created.
  ///   - save: Called on any thread when a fetch begins, without a lock.
  public init(
    load: @escaping @Sendable () -> BackgroundFetchRecord?,
    save: @escaping @Sendable (BackgroundFetchRecord) -> Void
  ) {
    self.load = load
    self.save = save
  }

  /// A store whose record does not outlive the process: each launch begins anew.
  public static let inMemory = BackgroundFetchStore(load: { nil }, save: { _ in })
}
