public import LifecycleCore
import LifecycleSupport

/// A coordinator that lets any number of handlers take part in the background fetches of the
/// process, each of which is completed exactly once, with one result for all of them.
///
/// ```swift
/// let fetches = BackgroundFetchCoordinator(of: bus)
/// fetches.addHandler(named: "inbox", in: scope) {
///   try await inbox.refresh() ? .newData : .noData
/// }
/// let report = await fetches.performFetch(deadline: .seconds(30))
/// ```
///
/// A fetch runs all handlers concurrently. It is complete as soon as all have answered, or at its
/// deadline:
///
/// | result | if |
/// | --- | --- |
/// | `newData` | a handler has new data |
/// | `failed` | none has, and one failed or missed the deadline |
/// | `noData` | otherwise, also without any handler |
///
/// At the deadline, and when the caller that requested the fetch gives up, the handlers that have
/// not answered are cancelled, without waiting for them. A handler that is removed during a fetch
/// is cancelled, and does not count for it; a handler that is added takes part in the next one.
/// Fetches may overlap, for example when a push arrives during a refresh. A handler that is running
/// then is not run again: its answer counts for each fetch that waits for it, and it is cancelled
/// when the last of them gives up. A handler that performs a fetch itself waits for itself, until
/// the deadline.
///
/// The fetches under way when the bus or the coordinator ends end with it. Fetches still running at
/// `willTerminate` complete during its delivery, without a `backgroundFetchDidComplete` event, and
/// before observers that were registered earlier than the coordinator are called. A fetch that
/// begins later fails at once.
public final class BackgroundFetchCoordinator: Sendable {
  package let queue: BackgroundFetchQueue
  private let wakeUp = WakeUp()

  /// Creates a coordinator without handlers.
  ///
  /// Handlers that are not isolated to an actor run on dedicated threads, so that a handler that
  /// blocks its thread delays no other. Before iOS 18, tvOS 18 and macOS 15, they run in Swift's
  /// pool, which has few threads: there, a handler must not block.
  ///
  /// - Parameter bus: The bus that reports each fetch, and whose clock is used. The coordinator
  ///   does not keep it alive.
  public init(
    of bus: some LifecycleBusProtocol,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID, filePath, line, column)
    let starter: TaskStarter
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      starter = TaskStarter(BackgroundFetchExecutor.shared)
    } else {
      starter = .pool
    }
    queue = BackgroundFetchQueue(bus: bus.core, starter: starter, madeAt: site)
  }

  /// Creates a coordinator whose handlers run on an executor unless they are isolated to an actor.
  ///
  /// Not for clients: on a manual clock, a test that awaits a fetch would wait for its own next
  /// move of the clock.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  package init(
    of bus: some LifecycleBusProtocol,
    executor: any TaskExecutor,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID, filePath, line, column)
    queue = BackgroundFetchQueue(bus: bus.core, starter: TaskStarter(executor), madeAt: site)
  }

  deinit {
    queue.release()
  }

  /// A publisher of the report of each fetch from now on, when it is complete. Reports are
  /// delivered where the bus delivers, before `backgroundFetchDidComplete`.
  ///
  /// ```swift
  /// fetches.reports
  ///   .sink { trace("fetch \($0.number): \($0.result)") }
  ///   .store(in: scope)
  /// ```
  ///
  /// Reports that a subscriber has not requested yet are kept for it. The publisher finishes when
  /// the coordinator is released, or the bus ends.
  public var reports: LifecyclePublisher<BackgroundFetchReport> {
    LifecyclePublisher(of: queue, on: queue.bus)
  }

  /// Runs all handlers, and waits for them until the deadline.
  ///
  /// ```swift
  /// let report = await fetches.performFetch(deadline: .seconds(30))
  /// ```
  ///
  /// The handlers have begun, or are about to, when this method first suspends. If its task is
  /// cancelled, it waits no longer: the deadline is now.
  ///
  /// - Parameter deadline: The time available, on the clock of the bus, which counts sleep.
  /// - Parameter isolation: The actor of the caller.
  /// - Returns: The report of the fetch, after the observers of the bus were notified.
  @discardableResult
  public func performFetch(
    deadline: Duration = .seconds(30),
    isolation: isolated (any Actor)? = #isolation
  ) async -> BackgroundFetchReport {
    let number = queue.makeNumber()
    return await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        queue.begin(number, deadline: deadline) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      queue.expire(number)
    }
  }
}

// MARK: Handlers

extension BackgroundFetchCoordinator {
  /// Adds a handler that takes part in the fetches until the scope ends.
  ///
  /// ```swift
  /// fetches.addHandler(named: "inbox", in: scope) {
  ///   try await inbox.refresh() ? .newData : .noData
  /// }
  /// ```
  ///
  /// Thread-safe. A handler that is removed while it runs is cancelled, and does not count for the
  /// fetch; an answer that it has already given stays. In a scope that has ended no handler is
  /// added, which is reported at the caller's line.
  ///
  /// - Parameters:
  ///   - name: The name that reports show.
  ///   - scope: The scope that holds the handler.
  ///   - body: Called for each fetch that begins while no other one waits for its answer, where the
  ///     coordinator's initializer documents. Any error that it throws is a failure. It should
  ///     respond to cancellation: an answer after that is reported at the line of this call, unless
  ///     it is a failure, and the next fetch does not wait for it.
  public func addHandler(
    named name: String,
    in scope: consuming LifecycleScope,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ body: @escaping @Sendable () async throws -> BackgroundFetchReport.HandlerResult
  ) {
    let site = CallSite(fileID, filePath, line, column)
    let (handler, registration) = queue.register()
    registration.store(in: (consume scope).core, site)
    queue.add(handler, name, site, body)
  }

  /// Adds a handler that takes part in the fetches until its registration is cancelled or released.
  ///
  /// ```swift
  /// registration = fetches.addHandler(named: "inbox") {
  ///   try await inbox.refresh() ? .newData : .noData
  /// }
  /// ```
  ///
  /// Otherwise behaves like ``addHandler(named:in:fileID:filePath:line:column:_:)``.
  ///
  /// - Returns: The registration. Cancelling or releasing it removes the handler.
  public func addHandler(
    named name: String,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ body: @escaping @Sendable () async throws -> BackgroundFetchReport.HandlerResult
  ) -> LifecycleCancellable {
    let (handler, registration) = queue.register()
    queue.add(handler, name, CallSite(fileID, filePath, line, column), body)
    return registration
  }
}

// MARK: Hosts

extension BackgroundFetchCoordinator {
  /// Performs the requests of a host as fetches, until the connection is cancelled or released.
  ///
  /// Connect a host before the process has finished launching: the system may have launched it for
  /// a fetch.
  ///
  /// ```swift
  /// fetches.connect(host).store(in: scope)
  /// fetches.setMinimumInterval(.seconds(900))
  /// ```
  ///
  /// Add the handlers first: a request before the first handler is added is answered with `noData`,
  /// which is reported at the caller's line.
  ///
  /// A host has one handler: its newest connection receives the requests. A coordinator that takes
  /// over the host of another one is reported at the caller's line; when its connection ends, the
  /// earlier one receives the requests again. This requires that the host is a class.
  ///
  /// Can be called on any thread, but only by one caller at a time for a host.
  ///
  /// - Parameters:
  ///   - host: The host, which receives the minimum interval if one has been set.
  /// - Returns: The connection. Cancelling or releasing it ends it; the fetches under way continue.
  ///   The coordinator does not keep the connection alive, nor the connection the coordinator: a
  ///   request that arrives after the coordinator's release fails, unless there is an earlier
  ///   connection of another coordinator.
  public func connect(
    _ host: some BackgroundFetchHost,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> LifecycleCancellable {
    let site = CallSite(fileID, filePath, line, column)
    let id = wakeUp.add(host)
    let claim = Claim(of: queue, wakeUp, connectedAt: site)
    claim.begin(on: host)
    return LifecycleCancellable { [wakeUp] in
      wakeUp.remove(id)
      claim.end(on: host)
    }
  }

  /// Sets how often the process wants to be woken up for a fetch, for the hosts that are connected
  /// now and for those that will be. Thread-safe.
  ///
  /// - Parameter interval: The minimum time between two fetches; zero for as often as the host
  ///   allows, nil for never. A negative duration counts as zero. Until an interval is set, the
  ///   hosts keep theirs, which is never.
  public func setMinimumInterval(_ interval: Duration?) {
    wakeUp.setMinimumInterval(interval.map { max($0, .zero) })
  }
}

/// A connection's claim to the requests of its host.
///
/// The newest claim whose coordinator is open receives them. When it ends, the one before it does.
private final class Claim: Sendable {
  /// The claims to each host, in the order in which they began. Until they end, they keep it alive.
  private static let claims = Locked<[ObjectIdentifier: [Claim]]>([:])

  private weak let queue: BackgroundFetchQueue?
  private let wakeUp: WakeUp
  private let site: CallSite

  init(of queue: BackgroundFetchQueue, _ wakeUp: WakeUp, connectedAt site: CallSite) {
    self.queue = queue
    self.wakeUp = wakeUp
    self.site = site
  }

  /// Takes the host over, which is reported if another coordinator has it.
  func begin(on host: some BackgroundFetchHost) {
    guard let key = Self.key(host) else {
      return host.setFetchHandler { [self] request in perform(request) }
    }
    let receiver = Self.receiver(key)
    Self.claims.withLock { $0[key, default: []].append(self) }
    host.setFetchHandler { request in
      if let receiver = Self.receiver(key) {
        receiver.perform(request)
      } else {
        request.complete(.failed)
      }
    }
    guard let receiver, receiver.queue !== queue else { return }
    site.report(
      """
      The host was already connected to another coordinator, which receives no fetches until this \
      connection ends. Connect each host to one coordinator, which can have any number of handlers.
      """
    )
  }

  /// Gives the host back. To be called once.
  func end(on host: some BackgroundFetchHost) {
    guard let key = Self.key(host) else { return host.setFetchHandler(nil) }
    let (rest, newer) = Self.claims.withLock { claims in
      let all = claims[key] ?? []
      let rest = all.filter { $0 !== self }
      claims[key] = rest.isEmpty ? nil : rest
      return (rest.unsharedForSanitizer, Array(all.drop { $0 !== self }.dropFirst()))
    }
    if rest.isEmpty { host.setFetchHandler(nil) }
    guard !newer.contains(where: \.isOpen), let next = rest.last(where: \.isOpen) else { return }
    if next.queue !== queue { next.wakeUp.restoreInterval(of: host) }
  }

  private var isOpen: Bool { queue?.isOpen ?? false }

  private func perform(_ request: BackgroundFetchRequest) {
    guard let queue else { return request.complete(.failed) }
    if queue.isOpen, !queue.hasHadHandler {
      site.report(
        """
        A background fetch arrived before a handler was added to the coordinator, so it was \
        answered with noData. Add the handlers before connecting the host.
        """
      )
    }
    let number = queue.makeNumber()
    // Neither keeps the other alive: the completion releases both closures.
    request.onExpiration { queue.expire(number) }
    queue.begin(number, deadline: request.deadline) { request.complete($0.result) }
  }

  /// The claim that receives the requests of a host.
  private static func receiver(_ key: ObjectIdentifier) -> Claim? {
    claims.withLock { $0[key] ?? [] }.last(where: \.isOpen)
  }

  /// The identity of a host; nil for a value, which can't be distinguished from another one.
  private static func key(_ host: some BackgroundFetchHost) -> ObjectIdentifier? {
    type(of: host) is AnyClass ? ObjectIdentifier(host as AnyObject) : nil
  }
}

/// The interval at which the hosts of a coordinator wake the process up.
private final class WakeUp: Sendable {
  private enum Interval: Equatable {
    case unset
    /// Nil for never.
    case set(Duration?)
  }

  private struct State {
    var interval = Interval.unset
    var hosts: [Int: any BackgroundFetchHost] = [:]
    var lastID = 0
  }

  private let state = Locked(State())

  func add(_ host: any BackgroundFetchHost) -> Int {
    let id = state.withLock { state in
      state.lastID += 1
      state.hosts[state.lastID] = host
      return state.lastID
    }
    passInterval(to: host)
    return id
  }

  func remove(_ id: Int) {
    state.discard { $0.hosts.removeValue(forKey: id) }
  }

  func setMinimumInterval(_ interval: Duration?) {
    let hosts = state.withLock { state in
      state.interval = .set(interval)
      return state.hosts.sorted { $0.key < $1.key }.map(\.value)
    }
    for host in hosts { passInterval(to: host) }
  }

  /// Passes the interval to a host that has received another coordinator's.
  func restoreInterval(of host: any BackgroundFetchHost) {
    if state.withLock({ $0.interval }) == .unset { host.setMinimumInterval(nil) }
    passInterval(to: host)
  }

  /// Passes the interval to a host, again if it was set to another one in the meantime: the host
  /// may have received that one first.
  private func passInterval(to host: any BackgroundFetchHost) {
    var passed = Interval.unset
    while true {
      let current = state.withLock { $0.interval }
      guard current != passed, case .set(let interval) = current else { return }
      host.setMinimumInterval(interval)
      passed = current
    }
  }
}
