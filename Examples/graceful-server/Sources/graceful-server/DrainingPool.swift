import FlyingSocks
import Synchronization

/// The steps from SIGTERM to the end of the server, and their times.
///
/// 1. `/ready` responds with 503. New connections are still accepted for the *delay*, because a
///    load balancer needs some time to notice. Each response ends its connection.
/// 2. New connections are discarded. Handshakes that have begun have time to finish.
/// 3. The listener is closed. A connection that has been silent for the *allowed silence* is
///    closed; a request in progress continues.
/// 4. At the *deadline*, requests that are still in progress are cancelled, and answered with 503.
struct DrainPlan: Sendable {
  var delay: Duration
  var allowedSilence: Duration
  var deadline: Duration

  /// The time for handshakes that have begun: more than a round trip.
  static let handshake = Duration.milliseconds(250)
}

/// Sockets that FlyingFox waits for, and the way to end the waits of a server that shuts down.
///
/// FlyingFox calls the pool only for a socket that has nothing to read: a listener whose queue is
/// empty, or a silent connection. To end such a wait is to disconnect the socket, so that nothing
/// that the kernel has received for it is lost. `HTTPServer.stop` would reset the connections that
/// the kernel has accepted and the server has not, and cancel requests that are being read.
final class DrainingPool: AsyncSocketPool {
  private struct State {
    var waits: [Int: Wait] = [:]
    var nextID = 0
    var listener: Socket?
    /// The silence after which a connection is closed; nil until the server shuts down.
    var allowedSilence: Duration?
  }

  private struct Wait {
    let task: Task<Void, any Error>
    let isListener: Bool
    var wasEnded = false
  }

  private let base: any AsyncSocketPool
  private let state = Mutex(State())

  init(base: any AsyncSocketPool) {
    self.base = base
  }

  /// The listening socket, once the server has waited for a connection.
  var listener: Socket? { state.withLock(\.listener) }

  /// A Boolean value that indicates whether the listener is to be closed.
  var isDraining: Bool { state.withLock { $0.allowedSilence != nil } }

  /// Closes the listener as soon as its queue is empty, and each connection when it has been
  /// silent for a while.
  func drain(allowedSilence: Duration) {
    let (listeners, connections) = state.withLock { state in
      state.allowedSilence = allowedSilence
      let waits = state.waits
      return (waits.filter(\.value.isListener).keys, waits.filter { !$0.value.isListener }.keys)
    }
    end(listeners)
    end(connections, after: allowedSilence)
  }

  func prepare() async throws { try await base.prepare() }

  func run() async throws { try await base.run() }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    guard events.contains(.read) else {
      return try await base.suspendSocket(socket, untilReadyFor: events)
    }
    let isListener = socket.isListening
    guard let (id, task, allowedSilence) = beginWait(for: socket, events, isListener) else {
      socket.stopListening()
      throw SocketError.disconnected
    }
    let timer = allowedSilence.map { end([id], after: $0) }
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    timer?.cancel()
    let wasEnded = state.withLock { $0.waits.removeValue(forKey: id)?.wasEnded ?? false }
    // What arrived at the last moment counts.
    if !wasEnded || socket.hasInput { return try wasEnded ? () : result.get() }
    if isListener { socket.stopListening() }
    throw SocketError.disconnected
  }

  /// Returns nil for the listener of a server that shuts down.
  private func beginWait(
    for socket: Socket,
    _ events: Socket.Events,
    _ isListener: Bool
  ) -> (id: Int, task: Task<Void, any Error>, allowedSilence: Duration?)? {
    state.withLock { state in
      if isListener {
        guard state.allowedSilence == nil else { return nil }
        state.listener = socket
      }
      let id = state.nextID
      let task = Task { [base] in try await base.suspendSocket(socket, untilReadyFor: events) }
      state.nextID += 1
      state.waits[id] = Wait(task: task, isListener: isListener)
      return (id, task, state.allowedSilence)
    }
  }

  @discardableResult
  private func end(_ ids: some Sequence<Int> & Sendable, after time: Duration) -> Task<Void, Never>
  {
    Task { [weak self] in
      do { try await Task.sleep(for: time) } catch { return }
      self?.end(ids)
    }
  }

  private func end(_ ids: some Sequence<Int>) {
    let tasks = state.withLock { state in
      ids.compactMap { id in
        state.waits[id]?.wasEnded = true
        return state.waits[id]?.task
      }
    }
    for task in tasks { task.cancel() }
  }
}
