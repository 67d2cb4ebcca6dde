import ReactiveLifecycle
import TestSupport

@testable import LifecycleJournaling

extension JournalStage {
  static func contents(of stage: JournalStage) -> JournalContents {
    let bytes = stage.bytes
    return JournalContents(Array(bytes.prefix(8192)), size: bytes.count)
  }
}

extension JournalContents {
  /// The number of the write that is read; zero if there is none.
  var generation: UInt64 {
    if case .record(_, let generation) = self { generation } else { 0 }
  }

  var phase: LifecyclePhase? {
    if case .record(let record, _) = self { record.phase } else { nil }
  }

  func value(forKey key: String) -> [UInt8]? {
    if case .record(let record, _) = self { record.values[key].map(Array.init) } else { nil }
  }
}

extension JournalRecord {
  /// A record unlike others of other numbers.
  static func sample(
    _ number: Int,
    phase: LifecyclePhase = .active,
    valueSize: Int? = nil
  ) -> JournalRecord {
    let time = Duration.seconds(number) + .milliseconds(number)
    var record = JournalRecord(
      phase: phase,
      signOfLife: LifecycleInstant([time * 2, time, time * 4]),
      boot: BootID(rawValue: "2b3f0a50-0000-4000-8000-000000000000"),
      processID: Int32(number),
      run: UInt64(number.magnitude)
    )
    if let valueSize {
      let value = (0..<valueSize).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
      record.values = record.values.setting(value, forKey: "value", capacity: 4096)!
    }
    return record
  }
}
