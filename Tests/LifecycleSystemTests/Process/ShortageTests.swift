import Foundation
import JobControl
import TestSupport
import Testing

extension SystemProcessTests {
  @Suite("Short of descriptors", .serialized)
  struct ShortageTests {
    /// The attempts to connect one source, each with one descriptor more that may be opened.
    private struct Attempts {
      var refusals: [String] = []
      /// The numbers of descriptors that the source has opened.
      var opened: [Int] = []
      var leftOpen = 0

      mutating func add(_ line: String) {
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

    @Test(
      """
      A source that lacks descriptors is not connected, with the remedy; one that has enough opens \
      all that it uses
      """
    )
    func descriptors() async throws {
      try await withProbeSession { session in
        let program = try builtProgramPath("lifecycle-probe")
        let job = try session.launch(JobRequest([program, "descriptor-shortage"]))
        var attempts: [Substring: Attempts] = [:]
        for line in try job.waitUntilOutputEnds() {
          let content = try JSONDecoder().decode(ProbeLine.self, from: Data(line.utf8)).content
          guard case .note(let text) = content else { continue }
          attempts[text.prefix { $0 != " " }, default: Attempts()].add(text)
        }
        #expect(Set(attempts.keys) == ["systemClock", "processPauses", "memoryPressure"])
        for (source, attempts) in attempts {
          #expect(!attempts.refusals.isEmpty, "\(source)")
          for refusal in attempts.refusals {
            #expect(refusal.contains("Too many open files. Close file descriptors"), "\(source)")
          }
          #expect(Set(attempts.opened).count == 1, "\(source) \(attempts.opened)")
          #expect(attempts.leftOpen == 0, "\(source)")
        }
      }
    }
  }
}
