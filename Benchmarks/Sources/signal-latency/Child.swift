import Glibc
import JobControl

/// A child that is the foreground job of a terminal of its own.
final class Child {
  /// How long a child may take for anything.
  private static let patience: CInt = 20

  let peer: Peer
  private let session: JobControlSession
  private let mailbox: Mailbox
  private let job: Job

  /// Launches it, and returns when it is ready for Ctrl-Z.
  init(_ peer: Peer) throws {
    self.peer = peer
    mailbox = try Mailbox()
    session = try JobControlSession()
    var request = JobRequest([currentExecutablePath(), "run-peer", peer.rawValue, mailbox.path])
    request.standardOutput = .terminal
    job = try session.launch(request)
    _ = try receive("a", round: 0)
  }

  /// Its process.
  var processID: pid_t { job.processID }

  /// Types Ctrl-Z, waits for the record and for the stop, and brings the child back.
  func stopAndReturn(round: Int) throws -> Latency {
    try expectSilence(round: round)
    let typed = monotonicNanoseconds()
    try session.terminal.type(PseudoTerminal.controlZ)
    let (called, arrived) = try receive("r", round: round)
    try expect(.stopped(SIGTSTP), round: round)
    try expectSilence(round: round)
    try session.foreground(job)
    try expect(.continued, round: round)
    _ = try receive("a", round: round)
    return Latency(round: round, peer: peer, called: called - typed, arrived: arrived - typed)
  }

  /// Stops it with Ctrl-Z and lets it run in the background.
  func moveToBackground() throws {
    try session.terminal.type(PseudoTerminal.controlZ)
    _ = try receive("r", round: 0)
    try expect(.stopped(SIGTSTP), round: 0)
    try session.background(job)
    try expect(.continued, round: 0)
  }

  /// Makes sure that nothing came that nobody asked for.
  func expectSilence(round: Int) throws {
    let delivery = mailbox.receive(within: 0)
    guard case .nothing = delivery else { throw wrong("no record", delivery.text, round) }
  }

  private func receive(
    _ expected: Character,
    round: Int
  ) throws -> (sent: Int64, arrived: Int64) {
    let delivery = mailbox.receive(within: Self.patience)
    guard case .record(expected, let sent, let arrived) = delivery else {
      throw wrong("the record \"\(expected)\"", delivery.text, round)
    }
    return (sent, arrived)
  }

  private func expect(_ expected: JobStatus, round: Int) throws {
    let status = try job.nextStatus().status
    guard status == expected else { throw wrong("\(expected)", "\(status)", round) }
  }

  private func wrong(_ expected: String, _ actual: String, _ round: Int) -> LatencyError {
    .wrong(peer, round: round, expected: expected, actual: actual)
  }
}
