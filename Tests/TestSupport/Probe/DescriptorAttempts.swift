public import JobControl

/// The attempts of `lifecycle-probe descriptor-shortage` to connect one source, or all of them,
/// each with one descriptor more that may be opened.
public struct DescriptorAttempts: Sendable {
  public private(set) var refusals: [String] = []
  /// The numbers of descriptors that the source has opened.
  public private(set) var opened: [Int] = []
  public private(set) var leftOpen = 0

  /// Runs the probe, and returns the attempts by the names of what it has connected.
  public static func run(
    in session: JobControlSession,
    _ options: String...
  ) throws -> [String: Self] {
    let job = try session.launchProbeCommand(["descriptor-shortage"] + options)
    var attempts: [String: Self] = [:]
    for line in try Probe(job: job, session: session).remainingLines() {
      guard case .note(let text) = line.content else { continue }
      attempts[String(text.prefix { $0 != " " }), default: Self()].add(text)
    }
    return attempts
  }

  private mutating func add(_ line: String) {
    let parts = line.split(separator: "; after that, ").map(String.init)
    leftOpen += parts.last.flatMap { Int($0.prefix { $0.isNumber }) } ?? 1
    let result = parts.first?.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? ""
    if result.hasSuffix(" opened"), let count = Int(result.prefix { $0.isNumber }) {
      opened.append(count)
    } else {
      refusals.append(result)
    }
  }
}
