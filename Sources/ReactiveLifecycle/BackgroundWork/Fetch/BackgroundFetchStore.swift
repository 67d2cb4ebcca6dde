/// When the last fetch of a ``BackgroundFetchScheduler`` began, as it outlives the process.
public struct BackgroundFetchRecord: Sendable, Hashable, Codable {
  /// The beginning.
  public var began: LifecycleInstant
  /// The boot that the beginning's first two readings belong to.
  public var boot: BootIdentity?

  /// A record, for tests and other stores.
  public init(began: LifecycleInstant, boot: BootIdentity?) {
    self.began = began
    self.boot = boot
  }

  /// How long ago that is, maybe in another boot: then by the wall clock, which may have been set.
  /// Never negative.
  func age(at now: LifecycleInstant, boot: BootIdentity?) -> Duration {
    let age = now.continuous.clamped - began.continuous.clamped
    if boot != nil, self.boot == boot, age >= .zero { return age }
    return max(now.wall.clamped - began.wall.clamped, .zero)
  }
}

/// Where a ``BackgroundFetchScheduler`` keeps the time of the last fetch.
public struct BackgroundFetchStore: Sendable {
  let load: @Sendable () -> BackgroundFetchRecord?
  let save: @Sendable (BackgroundFetchRecord) -> Void

  /// A store of a program's own.
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

  /// Nothing is kept: each launch begins anew.
  public static let none = BackgroundFetchStore(load: { nil }, save: { _ in })

  /// A value of a journal. One that can't be read counts as none, and one that can't be written is
  /// left out: the next launch fetches too early then.
  ///
  /// - Parameters:
  ///   - journal: It is kept alive.
  ///   - key: The value's name.
  public static func journal(
    _ journal: LifecycleJournal,
    key: String = "backgroundFetch"
  ) -> BackgroundFetchStore {
    BackgroundFetchStore(
      load: { try? journal.value(BackgroundFetchRecord.self, forKey: key) },
      save: { try? journal.set($0, forKey: key) }
    )
  }
}
