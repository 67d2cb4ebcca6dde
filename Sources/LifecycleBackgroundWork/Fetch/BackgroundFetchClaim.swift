import LifecycleSupport
import ReactiveLifecycle

/// A connection's claim to the requests of its host.
///
/// The newest claim whose coordinator is open receives them. When it ends, the one before it does.
final class BackgroundFetchClaim: Sendable {
  /// The claims to each host, in the order in which they began. Until they end, they keep it alive.
  private static let claims = Locked<[ObjectIdentifier: [BackgroundFetchClaim]]>([:])

  private weak let core: BackgroundFetchCore?
  private let wakeUp: BackgroundFetchWakeUp
  private let site: CallSite

  init(
    of core: BackgroundFetchCore,
    _ wakeUp: BackgroundFetchWakeUp,
    connectedAt site: CallSite
  ) {
    self.core = core
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
    guard let receiver, receiver.core !== core else { return }
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
    if next.core !== core { next.wakeUp.restoreInterval(of: host) }
  }

  private var isOpen: Bool { core?.isOpen ?? false }

  private func perform(_ request: BackgroundFetchRequest) {
    guard let core else { return request.complete(.failed) }
    core.perform(request, connectedAt: site)
  }

  /// The claim that receives the requests of a host.
  private static func receiver(_ key: ObjectIdentifier) -> BackgroundFetchClaim? {
    claims.withLock { $0[key] ?? [] }.last(where: \.isOpen)
  }

  /// The identity of a host; nil for a value, which can't be distinguished from another one.
  private static func key(_ host: some BackgroundFetchHost) -> ObjectIdentifier? {
    type(of: host) is AnyClass ? ObjectIdentifier(host as AnyObject) : nil
  }
}
