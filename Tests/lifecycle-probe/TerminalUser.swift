import Dispatch
import Foundation
import LifecycleSupport
import LifecycleTerminal
import ReactiveLifecycle
import TestSupport

/// The user of a terminal session, who does what keys ask for.
final class TerminalUser: Sendable {
  private struct State {
    var session: TerminalSession?
    var connection: LifecycleCancellable?
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
  func open(reads: Bool = true) throws {
    let session =
      try signalKeys.map { try TerminalSession(signalKeys: $0) } ?? TerminalSession()
    let connection = try bus.connect(session.focus, as: .ceiling)
    state.discard { state in
      let old = state
      state = State(session: session, connection: connection)
      return old
    }
    guard reads else { return }
    let input = session.input
    Task {
      for await bytes in input {
        emit(.readFromTerminal(String(decoding: bytes, as: UTF8.self)))
        for byte in bytes { try obey(byte) }
        if bytes.contains(UInt8(ascii: "q")) { break }
      }
      emit(.note("input ended"))
    }
  }

  func showPossession() {
    guard let session = state.withLock({ $0.session }) else { return }
    emit(.note("has terminal: \(session.hasTerminal)"))
  }

  private func obey(_ key: UInt8) throws {
    switch UnicodeScalar(key) {
    case "x": exit(3)
    case "r": ended.signal()
    case "s": state.withLock { $0.session }?.suspend()
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
