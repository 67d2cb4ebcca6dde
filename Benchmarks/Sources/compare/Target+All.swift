import BenchmarkSupport

extension Target {
  /// Everything that is to be reached, in the order of the report.
  static var all: [Target] { events + subscribing + countdowns + journal }

  private static let closureLoop = ("closure-loop", "closures")
  private static let subject = ("open-combine", "passthrough-sink")
  private static let blocks = ("notification-center", "blocks")

  private static var events: [Target] {
    [
      sending("token", 1, atMost: 1, of: subject),
      // The event becomes two records.
      sending("token-recorded", 1, atMost: 4, of: subject),
    ]
      + [100, 1_000].flatMap { count in
        [
          sending("token", count, atMost: 1, of: closureLoop),
          sending("token-nonisolated", count, atMost: 1, of: closureLoop),
          sending("scope", count, atMost: 1, of: closureLoop),
          sending("token", count, atMost: 0.35, of: blocks),
          sending("sink", count, atMost: 0.35, of: subject),
        ]
      }
  }

  private static var subscribing: [Target] {
    [10, 1_000, 100_000].flatMap { live in
      [
        subscribing("token", live, atMost: 1, of: blocks),
        subscribing("scope", live, atMost: 1, of: blocks),
      ]
    }
  }

  private static var countdowns: [Target] {
    [
      Target(
        name: "start and cancel a countdown beside 100,000",
        rows: [bus("countdown", .startCountdown, 100_000)],
        limit: 1_000
      ),
      Target(
        name: "start and cancel a countdown beside 100,000 ÷ system-timers dispatch",
        rows: [bus("countdown", .startCountdown, 100_000)],
        references: [RowID("system-timers", "dispatch", .startCountdown, 100_000)],
        limit: 1
      ),
      Target(
        name: "one tick beside 100,000 countdowns ÷ beside none",
        rows: [bus("countdown-beside-100000", .tick, 1)],
        references: [bus("countdown", .tick, 1)],
        limit: 1.5
      ),
      Target(
        name: "each of 10,000 ticks beside 100,000 countdowns ÷ beside none",
        rows: [bus("countdown-beside-100000", .tick, 10_000)],
        references: [bus("countdown", .tick, 10_000)],
        limit: 1.5
      ),
    ]
  }

  private static var journal: [Target] {
    BenchmarkOperation.record.sizes.map { size in
      Target(
        name: "record a transition with \(size.grouped) bytes of values ÷ write and fdatasync",
        rows: [bus("journal", .record, size)],
        references: [RowID("file-writes", "write-fdatasync", .record, size)],
        limit: 1.5
      )
    }
  }

  private static func sending(
    _ form: String,
    _ count: Int,
    atMost limit: Double?,
    of reference: (peer: String, form: String)
  ) -> Target {
    Target(
      name: "\(form) to \(count.grouped) ÷ \(reference.peer) \(reference.form)",
      rows: [bus(form, .send, count)],
      references: [RowID(reference.peer, reference.form, .send, count)],
      limit: limit
    )
  }

  private static func subscribing(
    _ form: String,
    _ live: Int,
    atMost limit: Double,
    of reference: (peer: String, form: String)
  ) -> Target {
    Target(
      name:
        "subscribe and cancel \(form) beside \(live.grouped) ÷ \(reference.peer) \(reference.form)",
      rows: [bus(form, .subscribe, live)],
      references: [RowID(reference.peer, reference.form, .subscribe, live)],
      limit: limit
    )
  }

  private static func bus(_ form: String, _ operation: BenchmarkOperation, _ size: Int) -> RowID {
    RowID("lifecycle-bus", form, operation, size)
  }
}
