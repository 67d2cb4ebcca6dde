import CustomDump
import LifecycleCore
import TestSupport
import Testing

@testable import LifecycleJournaling

private enum SessionInput: CaseIterable {
  case open, leave, kill, reboot, pass, stop, beat, setBack
}

/// Sessions as anyone would count them: lengths of visits and gaps, without instants and boots.
private struct SessionOracle {
  let timeout: Int
  var (number, visits, time) = (0, 0, 0)
  var wasKilled = false
  var hasEnded = true
  /// The length of the visit under way.
  var visit: Int?
  /// The time since the user left, since the last sign of life, and the wall clock's then and now.
  var (away, sinceSign) = (0, 0)
  var (wallOfLeaving, wallOfSign, wall) = (0, 0, 0)
  var reports: [String] = []

  init(timeout: Int) { self.timeout = timeout }

  private func line(_ more: Int = 0) -> String {
    "\(number): \(visits) visits, \(time + more) s\(wasKilled ? ", killed" : "")"
  }

  var current: String? {
    hasEnded || visit == nil && away >= timeout ? nil : line(visit ?? 0)
  }

  mutating func perform(_ input: SessionInput) {
    switch input {
    case .open where visit == nil:
      look()
      if hasEnded {
        (number, visits, time, wasKilled, hasEnded) = (number + 1, 1, 0, false, false)
        reports.append("begin \(number)")
      } else {
        visits += 1
      }
      (visit, sinceSign, wallOfSign) = (0, 0, wall)
    case .leave where visit != nil:
      (sinceSign, wallOfSign) = (0, wall)
      close()
    case .kill, .reboot:
      if visit != nil {
        wasKilled = true
        close()
      }
      if input == .reboot { away = max(wall - wallOfLeaving, 0) }
      (sinceSign, wallOfSign) = (0, wall)
    case .pass, .stop:
      if visit != nil { visit! += 1 } else { away += 1 }
      (sinceSign, wall) = (sinceSign + 1, wall + 1)
    case .beat: (sinceSign, wallOfSign) = (0, wall)
    case .setBack: wall -= 5
    case .open, .leave: break
    }
    // A stopped process notices nothing.
    if input != .stop { look() }
  }

  /// Ends a visit at the last sign of life.
  private mutating func close() {
    time += visit! - sinceSign
    (visit, away, wallOfLeaving) = (nil, sinceSign, wallOfSign)
  }

  private mutating func look() {
    guard visit == nil, !hasEnded, away >= timeout else { return }
    hasEnded = true
    reports.append("end \(line())")
  }
}

/// A device with a process whose sessions are saved at each change.
private struct SessionLife {
  let timeout: Int
  var machine: SessionMachine
  var (now, boot, bootedAt, wallShift, run) = (0, 0, 0, 0, 1)
  var sign = LifecycleInstant(everyClock: .zero)
  var reports: [String] = []

  init(timeout: Int) {
    self.timeout = timeout
    machine = SessionMachine(timeout: .seconds(timeout), boot: "0", run: 1)
  }

  private var instant: LifecycleInstant {
    let sinceBoot = Duration.seconds(now - bootedAt)
    return LifecycleInstant([sinceBoot, sinceBoot, .seconds(now + wallShift)])
  }

  var current: String? { machine.current(at: instant.continuous)?.line }

  mutating func perform(_ input: SessionInput) {
    switch input {
    case .open where machine.state.visit == nil:
      sign = instant
      machine.open(at: instant) { "id" }
    case .leave where machine.state.visit != nil:
      sign = instant
      machine.leave(at: instant)
    case .kill, .reboot:
      if input == .reboot { (boot, bootedAt) = (boot + 1, now) }
      let (saved, last, bootID) = (machine.state, (run, sign, true), BootID(rawValue: "\(boot)"))
      run += 1
      machine = SessionMachine(timeout: .seconds(timeout), boot: bootID, run: run)
      if saved.session != nil { _ = machine.restore(saved, after: last, at: instant) }
      sign = instant
    case .pass, .stop: now += 1
    case .beat: sign = instant
    case .setBack: wallShift -= 5
    case .open, .leave: break
    }
    if input != .stop { machine.expire(at: instant.continuous) }
    while let change = machine.nextChange() {
      switch change {
      case .began(let session): reports.append("begin \(session.number)")
      case .ended(let session): reports.append("end \(session.line)")
      }
    }
  }
}

extension LifecycleSession {
  var line: String {
    let seconds = Int(timeInForeground / .seconds(1))
    return "\(number): \(visits) visits, \(seconds) s\(wasKilled ? ", killed" : "")"
  }
}

@Suite("Sessions: the state machine")
struct SessionMachineTests {
  @Test(
    "After every six inputs, sessions are those that the lengths of visits and gaps make",
    arguments: [0, 1, 2]
  )
  func everySequence(timeout: Int) {
    var failures = 0
    func explore(_ life: SessionLife, _ oracle: SessionOracle, _ inputs: [SessionInput]) {
      if life.reports != oracle.reports || life.current != oracle.current {
        failures += 1
        expectNoDifference(life.reports + [life.current ?? ""], oracle.reports, "\(inputs)")
      }
      guard inputs.count < 6, failures < 3 else { return }
      for input in SessionInput.allCases {
        var (life, oracle) = (life, oracle)
        life.perform(input)
        oracle.perform(input)
        explore(life, oracle, inputs + [input])
      }
    }
    var (life, oracle) = (SessionLife(timeout: timeout), SessionOracle(timeout: timeout))
    life.perform(.open)
    oracle.perform(.open)
    explore(life, oracle, [.open])
  }
}
