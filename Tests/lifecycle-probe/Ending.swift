import ArgumentParser
import Dispatch
import Foundation
import LifecycleBackgroundWork
import LifecycleCore
import LifecycleProcess

/// Prints by `print` in an observer of `willTerminate`, and exits with 0 when its loop over the events
/// has ended, as a `main` that returns does.
struct Ending: ParsableCommand {
  enum Obstacle: String, ExpressibleByArgument {
    /// Another thread holds the lock of standard output once the observer has printed.
    case lock

    /// Standard output takes no more bytes once the observer has printed, or can't run.
    case fullPipe

    /// Another thread holds the lock of standard input, as one does that waits for a line.
    case input
  }

  @Option var termination = Observe.Termination.reraise
  @Option(help: "What is in the way of the observer's output.") var obstacle: Obstacle?
  @Flag(help: "Waits until the signal has ended the process.") var waits = false
  @Flag(help: "Cancels the task that waits.") var cancels = false
  @Flag(help: "Ends the bus itself.") var sends = false
  @Flag(help: "Two threads exit with 0, one of them the main one, once a signal ends the process.")
  var exitsOnMain = false
  @Flag(help: "What the observer writes is written at once.") var flushes = false
  @Flag(help: "A thread prints without end.") var prints = false

  @Flag(help: "Exits with 3 in an observer of `willTerminate`.") var exits = false
  @Flag(help: "Exits with 3 in such an observer, on a thread that delivers another event before.")
  var exitsOnThread = false
  @Option(help: "A file that the observer writes to by a stream of the C library.")
  var file: String?

  @Option(
    help: """
      Puts in the way of the end what it may wait for: a bus that needs the main thread, which is \
      blocked, a report of that which does not return, and a task whose expiration handler needs the \
      main thread. Observers and the task have this time, in milliseconds.
      """
  )
  var blocked: Int?

  @Option(help: "How long the observer of another bus takes before it writes, in milliseconds.")
  var slow: UInt32?

  func run() throws {
    try MainActor.assumeIsolated { try start() }
    dispatchMain()
  }

  @MainActor private func start() throws {
    signal(SIGPIPE, SIG_DFL)
    let source = ProcessSignalSource.processSignals(
      deadline: blocked.map { .milliseconds($0) } ?? .seconds(5),
      termination: termination.choice,
      onOverrun: { [blocked] overrun in
        if blocked == nil { overrun.report() } else { sleep(1_000) }
      }
    )
    let scope = LifecycleScope("ending")
    let (bus, other) = (LifecycleBus(), LifecycleBus())
    bus.addObserver(for: .willTerminate, in: scope) { _ in printText() }
    other.addObserver(for: .willTerminate, in: scope) { _ in takeTime() }
    let events = bus.events.asyncSequence()
    let connections = [try bus.connect(source), try other.connect(source)]
    if sends { bus.send(.willTerminate) }
    if obstacle == .input { HeldLock.ofInput() }
    if let blocked { blockMain(.milliseconds(blocked)) }
    if exitsOnThread { return try deliverAndExit(source) }
    printLine("ready")
    if prints { Thread.detachNewThread { while true { printLine("line") } } }
    if exitsOnMain {
      while !ProcessSignalSource.isEnding { usleep(1_000) }
      Thread.detachNewThread { Foundation.exit(0) }
      withExtendedLifetime((bus, other, scope, connections)) { Foundation.exit(0) }
    }
    Task {
      for await _ in events {}
      if waits {
        let wait = Task { await ProcessSignalSource.waitForEnd() }
        if cancels { wait.cancel() }
        await wait.value
      }
      withExtendedLifetime((bus, other, scope, connections)) { Foundation.exit(0) }
    }
  }

  private func printText() {
    if flushes { printLine("printed") } else { print("printed") }
    if let file, let stream = fopen(file, "w") {
      fputs("written", stream)
      if flushes { fflush(stream) }
    }
    if obstacle == .lock { HeldLock.ofOutput() }
    if obstacle == .fullPipe { fillOutput() }
    if exits { Foundation.exit(3) }
  }

  @MainActor private func blockMain(_ time: Duration) {
    print("printed")
    let tasks = BackgroundTaskCoordinator(host: .process(grace: time))
    let task = tasks.beginTask(named: "work") {}
    printLine("ready")
    if obstacle == .fullPipe {
      awaitReader()
      fillOutput()
    }
    while true { withExtendedLifetime(task) { _ = sleep(1_000) } }
  }

  private func deliverAndExit(_ source: ProcessSignalSource) throws {
    let (bus, scope) = (NonisolatedLifecycleBus(), LifecycleScope("thread"))
    bus.addObserver(for: .didReceiveMemoryWarning, in: scope) { _ in
      printLine("ready")
      while !ProcessSignalSource.isEnding { usleep(1_000) }
      // Time for the next event to be accepted.
      usleep(20_000)
    }
    bus.addObserver(for: .willTerminate, in: scope) { _ in Foundation.exit(3) }
    let connection = try bus.connect(source)
    withExtendedLifetime(connection) { _ = bus.send(.didReceiveMemoryWarning) }
  }

  private func takeTime() {
    guard let slow else { return }
    usleep(1_000 * slow)
    printLine("other")
  }
}

/// Waits until everything that was written has been read.
private func awaitReader() {
  var unread: CInt = 0
  while ioctl(STDOUT_FILENO, UInt(TIOCOUTQ), &unread) == 0, unread > 0 { usleep(1_000) }
}

private func fillOutput() {
  let flags = fcntl(STDOUT_FILENO, F_GETFL)
  _ = fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK)
  let block = [UInt8](repeating: UInt8(ascii: "."), count: 1_024)
  while write(STDOUT_FILENO, block, block.count) > 0 {}
  while write(STDOUT_FILENO, block, 1) > 0 {}
  _ = fcntl(STDOUT_FILENO, F_SETFL, flags)
}
