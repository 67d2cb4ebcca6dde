public import ReactiveLifecycle

/// When the last fetch of a ``BackgroundFetchScheduler`` began, as it outlives the process.
public struct BackgroundFetchRecord: Sendable, Hashable, Codable {
  /// The beginning.
  public var began: LifecycleInstant
  /// The boot that the beginning's first two readings belong to.
  public var bootID: BootID?

  /// A record, for tests and other stores.
  public init(began: LifecycleInstant, bootID: BootID?) {
    self.began = began
    self.bootID = bootID
  }

  /// How long ago that is, maybe in another boot: then by the wall clock, which may have been set.
  /// Never negative.
  package func age(at now: LifecycleInstant, bootID: BootID?) -> Duration {
    let age = now.continuous - began.continuous
    if bootID != nil, self.bootID == bootID, age >= .zero { return age }
    return max(now.timeSince1970.clamped - began.timeSince1970.clamped, .zero)
  }
}

/// Where a ``BackgroundFetchScheduler`` keeps the time of the last fetch.
public struct BackgroundFetchStore: Sendable {
  let load: @Sendable () -> BackgroundFetchRecord?
  let save: @Sendable (BackgroundFetchRecord) -> Void

  /// A store of a program's own, such as a value of a `LifecycleJournal`:
  ///
  /// ```swift
  /// let store = BackgroundFetchStore(
  ///   load: { try? journal.value(BackgroundFetchRecord.self, forKey: "fetch") },
  ///   save: { try? journal.set($0, forKey: "fetch") }
  /// )
  /// ```
  ///
  /// A record that can't be loaded counts as none; one that can't be saved makes the next launch fetch
  /// too early.
  ///
  /// - Parameters:
  ///   - load: Called once, when the scheduler is made, on that thread.
  ///   - save: Called when a fetch begins, on any thread, without a lock.
  public init(
    load: @escaping @Sendable () -> BackgroundFetchRecord?,
    save: @escaping @Sendable (BackgroundFetchRecord) -> Void
  ) {
    self.load = load
    self.save = save
  }

  /// Nothing outlives the process: each launch begins anew.
  public static let inMemory = BackgroundFetchStore(load: { nil }, save: { _ in })
}
