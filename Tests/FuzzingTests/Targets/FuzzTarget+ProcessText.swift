#if os(Linux)
  import Foundation

  @testable import JobControl

  extension FuzzTarget {
    /// The texts of `/proc/self/stat` and `status`, which a zero separates; and those of a process with
    /// any name and numbers.
    static let processText = FuzzTarget("process-text") { bytes in
      var choices = FuzzChoices(bytes)
      let texts = (0..<2).map { _ in choices.text() }
      _ = ProcessSnapshot(stat: texts[0], status: texts[1])
      return snapshotFault(texts[0], choices)
    }

    private static func snapshotFault(_ name: String, _ choices: FuzzChoices) -> String? {
      var choices = choices
      let numbers = (0..<3).map { _ in choices.number(pid_t.self) }
      let (user, system) = (choices.number(UInt32.self), choices.number(UInt32.self))
      let threads = choices.number(Int.self)
      let masks = (0..<3).map { _ in choices.number(UInt64.self) }
      let ids = numbers.map(String.init).joined(separator: " ")
      let stat = "7 (\(name)) S \(ids) 0 -1 4 0 0 0 0 \(user) \(system) 0 0 20 0 \(threads) 0 9\n"
      let status = """
        Name:\tname
        SigBlk:\t\(String(masks[0], radix: 16))
        SigIgn:\t\(String(masks[1], radix: 16))
        SigCgt:\t\(String(masks[2], radix: 16))
        """
      guard let process = ProcessSnapshot(stat: stat, status: status) else { return "no process" }
      let ticks = Double(user) + Double(system)
      guard process.state == "S", [process.parent, process.group, process.session] == numbers,
        process.threads == threads, [process.blocked, process.ignored, process.caught] == masks,
        abs(process.processorTime / .seconds(1) - ticks / Double(sysconf(CInt(_SC_CLK_TCK)))) < 0.01
      else { return "\(process) for \(stat)" }
      return nil
    }
  }
#endif
