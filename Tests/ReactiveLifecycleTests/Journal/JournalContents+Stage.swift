import ReactiveLifecycle
import TestSupport

@testable import LifecycleJournaling

extension JournalStage {
  static func contents(of stage: JournalStage) -> JournalContents {
    let bytes = stage.bytes
    return JournalContents(Array(bytes.prefix(8192)), size: bytes.count)
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
