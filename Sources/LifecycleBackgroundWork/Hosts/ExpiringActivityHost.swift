import Dispatch
import Foundation
import LifecycleCore
import LifecycleSupport

#if canImport(UIKit)
  import UIKit
#elseif os(watchOS)
  import WatchKit
#endif

/// Keeps a watch application or an app extension running for a while, through expiring activities.
///
/// These are activities of `ProcessInfo`: an extension has no `UIApplication` that it may ask for
/// time.
///
/// ```swift
/// let tasks = BackgroundTaskCoordinator(host: .expiringActivity)
/// ```
///
/// All open tasks share one activity: an activity blocks one of the system's threads until it ends,
/// and there are 64 of them (Dispatch's limit for waiting threads). The system may refuse the
/// activity after ``beginTask(named:onExpiration:)`` has returned. In that case, and when time is
/// up, the expiration handlers are called on the main actor, in the order in which the tasks began.
/// The system does not specify how long an activity may take.
///
/// Ending a task more than once has no effect.
public final class ExpiringActivityHost: BackgroundTaskHost {
  package typealias Block = @Sendable (_ isExpired: Bool) -> Void

  private struct State {
    var last = 0
    /// The latest activity, which the next task joins if it has time left.
    var activity: ExpiringActivity?
    var activities: [Int: ExpiringActivity] = [:]
  }

  private let perform: @Sendable (_ reason: String, _ block: @escaping Block) -> Void
  private let state = Locked(State())

  /// - Parameter perform: Calls the block, as `performExpiringActivity(withReason:using:)` does.
  package init(perform: @escaping @Sendable (_ reason: String, _ block: @escaping Block) -> Void) {
    self.perform = perform
  }

  /// Begins a task, and an activity if there is none that has time left.
  ///
  /// Thread-safe.
  ///
  /// - Parameters:
  ///   - name: The activity's reason, if this is its first task.
  ///   - onExpiration: Called on the main actor, at most once, when time is up or refused.
  public func beginTask(
    named name: String,
    onExpiration: @escaping @MainActor @Sendable () -> Void
  ) -> BackgroundTaskID? {
    let (id, new) = state.withLock { state -> (Int, ExpiringActivity?) in
      state.last += 1
      let id = state.last
      if let activity = state.activity, activity.join(id, onExpiration: onExpiration) {
        state.activities[id] = activity
        return (id, nil)
      }
      let activity = ExpiringActivity()
      _ = activity.join(id, onExpiration: onExpiration)
      state.activity = activity
      state.activities[id] = activity
      return (id, activity)
    }
    if let new {
      // The system raises an exception for an empty reason.
      perform(name.isEmpty ? "background task" : name) { new.call(isExpired: $0) }
    }
    return BackgroundTaskID(rawValue: id)
  }

  /// Ends a task, and ends the activity with its last task.
  ///
  /// Thread-safe.
  public func endTask(_ task: BackgroundTaskID) {
    let id = task.rawValue
    state.withLock { $0.activities.removeValue(forKey: id) }?.finish(id)
  }

  /// Nil: the system does not report the remaining time.
  @MainActor public var remainingTime: Duration? { nil }

  #if canImport(UIKit) || os(watchOS)
    fileprivate static let system = ExpiringActivityHost { reason, block in
      ProcessInfo.processInfo.performExpiringActivity(withReason: reason, using: block)
    }
  #endif
}

#if canImport(UIKit) || os(watchOS)
  extension BackgroundTaskHost where Self == ExpiringActivityHost {
    /// The system's expiring activities, for watch applications and app extensions.
    ///
    /// ```swift
    /// let tasks = BackgroundTaskCoordinator(host: .expiringActivity)
    /// ```
    public static var expiringActivity: Self { .system }
  }
#endif

/// An activity of the system, which any number of tasks of an `ExpiringActivityHost` share.
final class ExpiringActivity: Sendable {
  typealias Handler = @MainActor @Sendable () -> Void

  private struct State {
    var machine = ExpiringActivityMachine()
    /// The open tasks, oldest first.
    var tasks: [(id: Int, onExpiration: Handler)] = []
  }

  private let state = Locked(State())
  /// A group that is entered until the activity ends.
  private let end = DispatchGroup()

  init() {
    end.enter()
  }

  /// Adds a task.
  ///
  /// - Returns: False if the activity has ended, or its time is up.
  func join(_ id: Int, onExpiration: @escaping Handler) -> Bool {
    state.withLock { state in
      guard state.machine.isOpen else { return false }
      state.tasks.append((id, onExpiration))
      return true
    }
  }

  /// Handles a call of the system, on one of its queues, and returns when the last task has ended.
  func call(isExpired: Bool) {
    switch state.withLock({ $0.machine.call(isExpired: isExpired) }) {
    case .return: return
    case .wait: break
    case .expire: DispatchQueue.main.async { self.expire() }
    }
    end.wait()
  }

  func finish(_ id: Int) {
    let isOver = state.withLockDiscarding { state -> (Bool, Handler?) in
      guard let index = state.tasks.firstIndex(where: { $0.id == id }) else { return (false, nil) }
      let task = state.tasks.remove(at: index)
      return (state.tasks.isEmpty && state.machine.end(), task.onExpiration)
    }
    if isOver { end.leave() }
  }

  @MainActor private func expire() {
    guard state.withLock({ $0.machine.beginHandler() }) else { return }
    while let handler = state.withLock({ $0.tasks.isEmpty ? nil : $0.tasks.removeFirst() }) {
      handler.onExpiration()
    }
    state.withLock { $0.machine.finishHandler() }
    end.leave()
  }
}

/// A state machine for one expiring activity.
///
/// It is pure: it makes no system calls. The system calls the activity's block once with
/// `isExpired` false, and again with true when time is up; if the system refuses the activity, the
/// first call passes true. A block that has returned no longer keeps the process running.
struct ExpiringActivityMachine: Hashable, Sendable {
  /// The response to a call of the block.
  enum Call: Hashable, Sendable {
    /// Return at once.
    case `return`
    /// Wait for the end.
    case wait
    /// Call the handler, and wait for the end.
    case expire
  }

  private enum State: Hashable, Sendable {
    case open
    /// The handler has not been called yet.
    case expired
    /// The handler is running.
    case expiring
    case over
  }

  private var state = State.open

  /// A Boolean value that indicates whether time is left.
  var isOpen: Bool { state == .open }

  /// Records that the system calls the block.
  mutating func call(isExpired: Bool) -> Call {
    switch state {
    case .open where isExpired:
      state = .expired
      return .expire
    case .open, .expired, .expiring: return .wait
    case .over: return .return
    }
  }

  /// Records that the last task has ended.
  ///
  /// - Returns: True if those that wait for the end may return; false while the handler runs.
  mutating func end() -> Bool {
    guard state == .open || state == .expired else { return false }
    state = .over
    return true
  }

  /// Records that the handlers start to run.
  ///
  /// - Returns: True if there are handlers to call.
  mutating func beginHandler() -> Bool {
    guard state == .expired else { return false }
    state = .expiring
    return true
  }

  /// Records that the handlers have returned, which is the end: those that wait for it may return.
  mutating func finishHandler() {
    state = .over
  }
}
