#if os(Linux)
  import Foundation

  @testable import JobControl
  @testable import LifecycleTesting

  extension FuzzTarget {
    /// Texts about a process, which zeros separate: `/proc/self/maps`, `stat` and `status`, and the
    /// names that the runtime gives to key paths and their getters.
    static let processText = FuzzTarget("process-text") { bytes in
      var choices = FuzzChoices(bytes)
      let texts = (0..<2).map { _ in choices.text() }
      _ = MappedFile(at: choices.number(), in: texts[0])
      _ = ProcessSnapshot(stat: texts[0], status: texts[1])
      return mapFault(texts[0], choices) ?? snapshotFault(texts[0], choices) ?? nameFault(texts)
    }

    private static func mapFault(_ name: String, _ choices: FuzzChoices) -> String? {
      var choices = choices
      let start = choices.number(UInt64.self) >> 16
      let (size, place) = (UInt64(choices.number(UInt32.self)) + 1, choices.number(UInt64.self))
      let (address, offset) = (start + place % size, choices.number(UInt64.self) >> 1)
      // The kernel escapes line feeds.
      let path = "/\(name.filter { !$0.isNewline })"
      let maps = """
        0-\(hex(start)) r-xp 00000000 08:02 1   /before
        \(hex(start))-\(hex(start + size)) r--p \(hex(offset)) 08:02 173521      \(path)
        \(hex(start + size))-ffffffffffffffff rw-p 00000000 00:00 0
        """
      guard let file = MappedFile(at: address, in: maps), file.path.utf8.elementsEqual(path.utf8),
        file.offset == offset + place % size
      else {
        return "\(MappedFile(at: address, in: maps) as Any) instead of \(path) at \(offset)"
      }
      return nil
    }

    private static func hex(_ number: UInt64) -> String { String(number, radix: 16) }

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
        SigBlk:\t\(hex(masks[0]))
        SigIgn:\t\(hex(masks[1]))
        SigCgt:\t\(hex(masks[2]))
        """
      guard let process = ProcessSnapshot(stat: stat, status: status) else { return "no process" }
      let ticks = Double(user) + Double(system)
      guard process.state == "S", [process.parent, process.group, process.session] == numbers,
        process.threads == threads, [process.blocked, process.ignored, process.caught] == masks,
        abs(process.processorTime / .seconds(1) - ticks / Double(sysconf(CInt(_SC_CLK_TCK)))) < 0.01
      else { return "\(process) for \(stat)" }
      return nil
    }

    private static func nameFault(_ texts: [String]) -> String? {
      _ = PropertyName.getterAddress(inDescription: texts[0])
      let symbols = texts + ["key path getter for App.\(texts[0]) : Swift.Int : App.Model"]
      for symbol in symbols {
        guard let name = PropertyName(demangledGetter: symbol)?.text else { continue }
        guard !name.isEmpty, symbol.contains(name), !name.contains(".") else {
          return "the property \(name) of \(symbol)"
        }
      }
      return nil
    }
  }
#endif
