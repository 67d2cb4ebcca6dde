/// A source that feeds a bus: the process's signals, a notification center, a test.
///
/// ```swift
/// struct RemoteControl: LifecycleSource {
///   let name: LifecycleSourceName = "remoteControl"
///   let device: Device
///
///   func start(_ input: LifecycleFeed) throws -> @Sendable () -> Void {
///     try device.open { button in
///       if button == .home { input.send(.didEnterBackground) }
///     }
///     return { device.close() }
///   }
/// }
/// ```
public protocol LifecycleSource: Sendable {
  /// The name under which the source reports.
  var name: LifecycleSourceName { get }

  /// Starts feeding, and reports the phase that the source finds. Called once per connection, on
  /// the connecting thread; for a source that is connected while the bus is observed, each time the
  /// bus begins to be observed, where the bus delivers.
  ///
  /// - Parameter input: The feed that the source sends to.
  /// - Returns: A closure that stops feeding. Called once, on the thread that cancels the
  ///   connection, or where the bus delivers when it is observed no longer.
  /// - Throws: An error that explains why the source cannot start, and what to do about it. The bus
  ///   continues.
  func start(_ input: LifecycleFeed) throws -> @Sendable () -> Void
}
