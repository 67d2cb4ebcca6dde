import LifecycleCore
public import LifecycleProcess
import LifecycleSupport

/// The owner of the terminal in a program that draws its own screen.
///
/// While the process is in the foreground, each key arrives as bytes, without echo, and the
/// terminal reports its focus. A loop over ``input`` does not end when a signal ends the process.
///
/// | what happens | what the session does |
/// | --- | --- |
/// | it begins in the foreground | takes the terminal |
/// | Ctrl-Z, `kill -TSTP` | gives it back after the observers, before the process stops |
/// | `fg` | takes it before observers receive `willEnterForeground` |
/// | `bg`, or it begins in the background | nothing, until `fg` |
/// | `kill -STOP`, then `fg` | takes it again |
/// | `SIGTERM`, `SIGINT`, `SIGHUP` | gives it back when the observers have returned |
/// | `exit`, the end of `main` | gives it back |
/// | ``close()`` | gives it back, and ends the input |
/// | the terminal hangs up | ends the input, unless a `SIGHUP` ends the process within a second |
///
/// To take the terminal is to save its settings, to change them, and to write `ESC [ ? 1004 h`. To
/// give it back is to write `ESC [ ? 1004 l`, and to restore the settings. Neither is written if
/// `$TERM` is `dumb`. In the background, and if it is created while the process ends, the session
/// does not touch the terminal. `SIGKILL`, `SIGQUIT` and crashes leave the terminal as it is;
/// `stty sane` repairs it.
///
/// The settings are those of `cfmakeraw`, with two differences: output is processed as before
/// (`OPOST`), so that a line feed begins a line, and keys may still send signals (`ISIG`, with
/// `NOFLSH`). An editor that binds Ctrl-C passes `[.suspend]`, and one that also binds Ctrl-Z
/// passes `[]`, and calls ``suspend()`` for a key of its choice. The output, including the
/// alternate screen and the cursor, is the program's concern: it restores them in an observer of
/// `didEnterBackground`.
///
/// The session uses `/dev/tty`, wherever the standard streams are connected; on Apple platforms it
/// uses the first standard stream that is a terminal, if there is one. It waits without polling, on
/// the one thread of the process source. The program must not read from the terminal itself. All
/// members are thread-safe.
///
/// > Note: The rules come from POSIX.1-2024, *General Terminal Interface* (11.1.4), and from
/// > `termios(3)`.
public final class TerminalSession: Sendable {
  private let core: TerminalSessionCore
  private let bus: NonisolatedLifecycleBus
  /// The connection to the process's signals, until the session is closed.
  private let signals: Locked<LifecycleCancellable?>
  private let isOpen = Locked(true)

  /// Takes the terminal, at once if the process is in the foreground, otherwise with `fg`.
  ///
  /// - Parameters:
  ///   - signalKeys: The keys that send signals. By default not Ctrl-\\, whose `SIGQUIT` would end
  ///     the process without giving the terminal back.
  ///   - signals: The signals around which the session gives the terminal back. The session
  ///     connects them, also if a bus of the program has connected them; the rules for several
  ///     connections apply. Pass nil if the program connects them, or handles them itself.
  /// - Throws: ``StartError`` if the terminal can't be opened, or if the process has another
  ///   session; `ProcessSignalSource.StartError` if the system is short of threads, or of
  ///   descriptors for them.
  public init(
    signalKeys: SignalKeys = [.interrupt, .suspend],
    signals: ProcessSignalSource? = .processSignals(deadline: .zero, onOverrun: { _ in })
  ) throws {
    core = try TerminalSessionCore(signalKeys)
    let bus = NonisolatedLifecycleBus()
    self.bus = bus
    do {
      try ProcessThread.add(core)
      self.signals = Locked(try signals.map { try bus.connect($0) })
    } catch {
      ProcessThread.remove(core)
      core.close()
      throw error
    }
    core.open()
  }

  deinit { close() }

  /// The focus of the terminal, a source to connect as a ceiling.
  public var focus: TerminalFocus { core.focus }

  /// The bytes that arrive at the terminal, without the reports of the focus.
  public var input: Input { Input(session: self) }

  /// A Boolean value that indicates whether the session has the terminal: not in the background,
  /// and not after its end.
  package var hasTerminal: Bool { core.hasTerminal }

  /// Stops the process group, as Ctrl-Z does where it sends a signal.
  ///
  /// Returns before the process stops: observers are notified first. Has no effect if `SIGTSTP` is
  /// ignored.
  public func suspend() {
    kill(0, SIGTSTP)
  }

  /// Gives the terminal back and ends the input.
  ///
  /// Also called when the session and its ``input`` are released. Has no effect if the session is
  /// closed.
  public func close() {
    guard isOpen.exchange(false) else { return }
    core.end()
    ProcessThread.remove(core)
    signals.take()?.cancel()
    core.close()
  }
}

extension TerminalSession {
  /// The bytes that arrive at the terminal, without the reports of the focus.
  ///
  /// An element is everything that has arrived since the last one. The sequence ends when the
  /// session is closed, and when the terminal has hung up. It does not end when the process ends,
  /// by a signal or by `exit`: a loop over it waits until that has happened.
  ///
  /// If the program reads slowly, the session keeps 64 KiB, and then leaves the input in the
  /// terminal, together with the reports of the focus, until the program reads again. Two loops
  /// share the input: each byte is received by one of them. A sequence and its iterators keep the
  /// session.
  public struct Input: AsyncSequence, Sendable {
    public typealias Failure = Never

    /// Kept, because the release of a session would end the input.
    fileprivate let session: TerminalSession

    /// Returns an iterator. Thread-safe.
    public func makeAsyncIterator() -> Iterator { Iterator(session: session) }

    /// A reader of the input.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let session: TerminalSession

      /// Returns the bytes that have arrived; nil after the end, and if the task is cancelled.
      ///
      /// - Parameter isolation: The caller's actor, on which this call returns.
      public mutating func next(
        isolation: isolated (any Actor)? = #isolation
      ) async -> [UInt8]? {
        await session.core.nextInput(isolation: isolation)
      }

      /// Returns the next bytes, as ``next(isolation:)`` does. `for await` calls it in code that
      /// also runs before macOS 15.
      public nonisolated(nonsending) mutating func next() async -> [UInt8]? {
        await next(isolation: #isolation)
      }
    }
  }
}

extension TerminalSession {
  /// Keys that send a signal to the process group, and do not arrive as a byte.
  public struct SignalKeys: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Usually Ctrl-C, which sends `SIGINT`.
    public static let interrupt = Self(rawValue: 1)
    /// Usually Ctrl-\\, which sends `SIGQUIT`: for a program that handles that signal, and closes
    /// its session.
    public static let quit = Self(rawValue: 2)
    /// Usually Ctrl-Z, which sends `SIGTSTP`.
    public static let suspend = Self(rawValue: 4)
  }
}

extension TerminalSession {
  /// An error that indicates why a session cannot begin.
  ///
  /// The terminal is as it was before.
  @nonexhaustive
  public enum StartError: Error, Hashable, Sendable {
    /// The process has no controlling terminal, or it can't be opened. The value is the system's
    /// error number.
    case noTerminal(errno: Int32)
    /// The process has another session, which is not closed.
    case secondSession
  }
}

extension TerminalSession.StartError: CustomStringConvertible {
  /// A description of the reason and the remedy.
  public var description: String {
    switch self {
    case .noTerminal(let errno):
      """
      The controlling terminal of the process can't be opened: \(String(cString: strerror(errno))). \
      Start the program from a shell in a terminal, or run without a terminal session.
      """
    case .secondSession:
      """
      The process already has a terminal session, and its terminal has only one owner. Close the \
      first session, or share it.
      """
    }
  }
}
