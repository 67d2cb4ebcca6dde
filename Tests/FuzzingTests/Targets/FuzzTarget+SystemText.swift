#if os(Linux)
  import Foundation
  import LifecycleSupport
  import ReactiveLifecycle

  @testable import LifecycleSystem

  extension FuzzTarget {
    /// Short texts of the system and the service manager: variables of memory pressure, counts of
    /// a control group, durations, and the boot ID.
    static let systemText = FuzzTarget("system-text") { bytes in
      var choices = FuzzChoices(bytes)
      let texts = (0..<3).map { _ in choices.text() }
      if let id = SystemBoot.id(in: texts[0]), id.isEmpty || id.contains("\n") {
        return "the boot ID \(id)"
      }
      return pressureFault(texts, bytes) ?? numberFault(texts[0], choices)
        ?? durationFault(texts[0]) ?? durationFault(choices)
    }

    private static func pressureFault(_ texts: [String], _ bytes: [UInt8]) -> String? {
      let plan = PressurePlan(watch: texts[0], write: texts[1], group: texts[2])
      switch plan {
      case .places(let places):
        let others = ["\(texts[2])/memory.pressure", "/proc/pressure/memory"]
        guard places.suffix(2).map(\.path) == others,
          places.dropLast(2).allSatisfy({ $0.path == texts[0] && $0.triggers.count == 1 })
        else { return "the places \(places)" }
      case .disabled:
        guard texts[0] == "/dev/null" else { return "disabled by \(texts[0])" }
      }
      let chosen = Data(bytes).base64EncodedString()
      let writing = PressurePlan(watch: "/run/x", write: chosen, group: nil)
      guard case .places(let places) = writing, places[0].triggers[0].bytes == bytes else {
        return "another trigger: \(writing)"
      }
      return nil
    }

    private static func numberFault(_ text: String, _ choices: FuzzChoices) -> String? {
      _ = SystemFile.number("frozen", in: text)
      var choices = choices
      let number = choices.number(Int64.self)
      // A line of another key, or one that only begins like this key.
      let other = text.filter { !$0.isNewline }
      let counts = "populated\(other)\nfrozen_\(other) 1\nfrozen \(number)\nfrozen 7\n"
      let found = SystemFile.number("frozen", in: counts)
      return found == number ? nil : "\(found as Any) instead of \(number)"
    }

    private static func durationFault(_ text: String) -> String? {
      guard let duration = Duration(seconds: text) else { return nil }
      let again = Duration(seconds: duration.text)
      return again == duration ? nil : "\(again as Any) instead of \(duration)"
    }

    private static func durationFault(_ choices: FuzzChoices) -> String? {
      var choices = choices
      let duration = Duration(
        secondsComponent: choices.number(),
        attosecondsComponent: choices.number()
      ).clamped
      let again = Duration(seconds: duration.text)
      return again == duration ? nil : "\(again as Any) instead of \(duration)"
    }
  }
#endif
