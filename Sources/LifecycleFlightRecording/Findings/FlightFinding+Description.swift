import ReactiveLifecycle

extension FlightFinding: CustomStringConvertible {
  /// A sentence, such as `The machine slept for 7 h 30 min.`
  public var description: String {
    switch content {
    case .damagedLine(let number, let reason):
      "Line \(number): \(reason)"
    case .droppedRecords(let count):
      """
      The recording is not complete: \(records(count)) before this \
      \(count == 1 ? "was" : "were") dropped.
      """
    case .duplicate(let kind, let source):
      """
      \(name(source)) repeated \(kind)\(times); the \
      \(count == 1 ? "repetition was" : "repetitions were") suppressed.
      """
    case .mismatch(let kind, let source):
      "\(name(source)) reported \(kind)\(times) \(kind.missingCounterpart)."
    case .masked(let kind, let source):
      """
      \(kind) of \(name(source, isFirst: false)) had no effect\(times), because another source \
      determined the phase.
      """
    case .late(let kind, let source):
      "\(name(source)) reported \(kind)\(times) after its connection, or the bus, had ended."
    case .clockChange(let shift):
      shift < .zero
        ? "The clock was set back by \((.zero - shift).forPeople)."
        : "The clock was set forward by \(shift.forPeople)."
    case .machineSleep(let total):
      count == 1
        ? "The machine slept for \(total.forPeople)."
        : "The machine slept \(count) times, \(total.forPeople) in total."
    case .pause(let metadata):
      "The process was paused without notice\(times)\(details(metadata))."
    case .memoryWarning: "Memory was low\(times)."
    case .longStay(let longest):
      count == 1
        ? "The process was in the background for \(longest.forPeople)."
        : "The process was in the background for a long time\(times), at most \(longest.forPeople)."
    case .badEnd(.backgroundTask, let name, "released"):
      """
      The \(FlightActivity.Kind.backgroundTask.title(name)) was released\(times) before it was \
      ended.
      """
    case .badEnd(let kind, let name, let outcome):
      "The \(kind.title(name)) ended as \(outcome)\(times)."
    case .noEnd(let kind, let name):
      count == 1
        ? "The \(kind.title(name)) was still under way at the end."
        : "\(count) \(kind.title(name, count: count)) were still under way at the end."
    case .remainingObservers(let location):
      """
      \(count) observers from \(location) were still registered at the end: each appearance may \
      leave one behind.
      """
    case .noTermination:
      "The run has no end: the process was killed, or still ran when the recording was written."
    }
  }

  private var times: String { count == 1 ? "" : " \(count) times" }

  private func records(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }

  private func name(_ source: LifecycleSourceName?, isFirst: Bool = true) -> String {
    source.map { "\($0)" } ?? (isFirst ? "The program" : "the program")
  }

  private func details(_ metadata: [String: String]) -> String {
    guard !metadata.isEmpty else { return "" }
    let texts = metadata.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return " (\(count == 1 ? "" : "first ")\(texts.joined(separator: ", ")))"
  }
}

extension LifecycleEvent.Kind {
  /// What is missing before a report that does not fit.
  fileprivate var missingCounterpart: String {
    switch self {
    case .willResignActive: "without a didBecomeActive before it"
    case .didEnterBackground: "without a willEnterForeground before it"
    case .willEnterForeground: "without a didEnterBackground before it"
    case .didBecomeActive: "without a willResignActive before it"
    case .systemWillSleep: "again, without a systemDidWake before it"
    case .protectedDataWillBecomeUnavailable:
      "again, without a protectedDataDidBecomeAvailable before it"
    case .systemDidWake: "without a systemWillSleep before it"
    case .protectedDataDidBecomeAvailable:
      "without a protectedDataWillBecomeUnavailable before it"
    default: "when it no longer applied"
    }
  }
}

extension Duration {
  /// The duration in one or two units, such as `2 d 3 h`, `4 min 5 s`, or `1.25 s`.
  fileprivate var forPeople: String {
    let whole = clamped.components
    guard whole.seconds >= 60 else {
      let milliseconds = whole.seconds * 1000 + whole.attoseconds / 1_000_000_000_000_000
      return Duration.milliseconds(milliseconds).text
    }
    let units: [(size: Int64, name: String)] = [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")]
    var rest = whole.seconds
    let parts: [(count: Int64, unit: String)] = units.map { size, unit in
      defer { rest %= size }
      return (rest / size, unit)
    }
    return parts.drop { $0.count == 0 }.prefix(2).filter { $0.count > 0 }
      .map { "\($0.count) \($0.unit)" }.joined(separator: " ")
  }
}
