#if os(Linux)
  import Foundation
  import LifecycleCore
  import LifecycleSupport

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
      _ = KernelFile.number("frozen", in: texts[0])
      return pressureFault(texts, bytes) ?? durationFault(texts[0])
    }

    private static func pressureFault(_ texts: [String], _ bytes: [UInt8]) -> String? {
      let plan = PressurePlan(watch: texts[0], write: texts[1], group: texts[2])
      switch plan {
      case .interfaces(let places):
        let others = ["\(texts[2])/memory.pressure", "/proc/pressure/memory"]
        guard places.suffix(2).map(\.path) == others,
          places.dropLast(2).allSatisfy({ $0.path == texts[0] && $0.triggers.count == 1 })
        else { return "the places \(places)" }
      case .disabled:
        guard texts[0] == "/dev/null" else { return "disabled by \(texts[0])" }
      }
      let chosen = Data(bytes).base64EncodedString()
      let writing = PressurePlan(watch: "/run/x", write: chosen, group: nil)
      guard case .interfaces(let places) = writing, places[0].triggers[0].bytes == bytes else {
        return "another trigger: \(writing)"
      }
      return nil
    }

    private static func durationFault(_ text: String) -> String? {
      guard let duration = Duration(seconds: text) else { return nil }
      let again = Duration(seconds: duration.text)
      return again == duration ? nil : "\(again as Any) instead of \(duration)"
    }
  }

  extension FuzzTarget {
    /// The texts of `/proc/self/cgroup` and `/proc/self/mountinfo`, which a zero separates.
    static let controlGroup = FuzzTarget("control-group") { bytes in
      var choices = FuzzChoices(bytes)
      let texts = (choices.text(), choices.text())
      guard let group = ControlGroup(groups: texts.0, mounts: texts.1) else { return nil }
      return group.folder.isEmpty ? "a folder without a path" : nil
    }
  }
#endif
