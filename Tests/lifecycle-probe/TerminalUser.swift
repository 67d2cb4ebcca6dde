import Dispatch
import Foundation
import LifecycleCore
import LifecycleSupport
import LifecycleTerminal
import TestSupport

/// The user of a terminal session, who does what keys ask for.
final class TerminalUser: Sendable {
  private struct State {
    var session: TerminalSession?
    var connection: LifecycleCancellable?
    var readers: [Task<Void, any Error>] = []
    /// Signaled when the call of `suspend()` that is under way has returned.
    var suspension: DispatchSemaphore?
  }

  private let bus: NonisolatedLifecycleBus
  private let signalKeys: TerminalSession.SignalKeys?
  private let ended: DispatchSemaphore
  private let state = Locked(State())

  init(
    _ bus: NonisolatedLifecycleBus,
    _ signalKeys: TerminalSession.SignalKeys?,
    _ ended: DispatchSemaphore
  ) {
    self.bus = bus
    self.signalKeys = signalKeys
    self.ended = ended
  }

  /// Opens the session, and reads its input until that ends.
  ///
  /// - Parameters:
  ///   - readers: The number of tasks that read.
  ///   - keeps: False to release the session: the input alone is kept then.
  func open(readers: Int = 1, keeps: Bool = true) throws {
    let session =
      try signalKeys.map { try TerminalSession(signalKeys: $0) } ?? TerminalSession()
    let connection = try bus.connect(session.focus, as: .ceiling)
    state.discard { state in
      let old = state
      state = State(session: keeps ? session : nil, connection: connection)
      return old
    }
    for _ in 0..<readers { read(session.input) }
  }

  private func read(_ input: TerminalSession.Input) {
    let reader = Task {
      for await bytes in input {
        emit(.readFromTerminal(String(decoding: bytes, as: UTF8.self)))
        for byte in bytes { try obey(byte) }
        if !Set("qe".utf8).isDisjoint(with: bytes) { break }
      }
      emit(.note("input ended"))
    }
    state.withLock { $0.readers.append(reader) }
  }

  /// Cancels the tasks that read, and begins to read again when they have ended.
  func readAgain() {
    let (session, readers) = state.withLock { ($0.session, $0.readers) }
    for reader in readers { reader.cancel() }
    Task {
      for reader in readers { try await reader.value }
      if let session { read(session.input) }
    }
  }

  /// Waits for the call of `suspend()` that is under way.
  func awaitSuspension() {
    state.withLock { $0.suspension.take() }?.wait()
  }

  func showPossession() {
    guard let session = state.withLock({ $0.session }) else { return }
    emit(.note("has terminal: \(session.hasTerminal)"))
  }

  /// Uses all members of a session on several threads at the same time, until it is closed.
  private static func useOnThreads(_ session: TerminalSession) {
    onOtherThreads(4) { _ in
      for _ in 0..<20 {
        _ = session.hasTerminal
        _ = session.input.makeAsyncIterator()
        _ = session.focus
        session.suspend()
      }
      session.close()
    }
  }

  private func obey(_ key: UInt8) throws {
    switch UnicodeScalar(key) {
    case "x": exit(3)
    case "r": ended.signal()
    case "s":
      let returned = DispatchSemaphore(value: 0)
      let session = state.withLock { state in
        state.suspension = returned
        return state.session
      }
      session?.suspend()
      emit(.note("suspend returned"))
      returned.signal()
    case "t":
      if let session = state.withLock({ $0.session }) { Self.useOnThreads(session) }
      emit(.disconnected)
    case "c":
      state.withLock { $0.session }?.close()
      emit(.disconnected)
    case "p":
      state.withLock { $0.session }?.close()
      try open()
      emit(.reconnected)
    case "q":
      state.discard { state in
        let old = state
        state = State()
        return old
      }
      // The loop that called this still has the session.
      Task {
        while (try? open()) == nil { try await Task.sleep(for: .milliseconds(1)) }
        emit(.reconnected)
      }
    case "o":
      do {
        _ = try TerminalSession()
      } catch {
        emit(.note("\(error)"))
      }
    default: break
    }
  }
}
