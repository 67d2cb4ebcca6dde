import LifecycleCore
import LifecycleTesting
import TestSupport

/// An observer that a script adds. Observers, scopes and owners are known by their numbers.
struct ObserverSpec {
  enum Form: CaseIterable {
    case token, scope, owner, returning, capturing, opening
    case events, phases, backgroundStays, openings, suppressedInputs
    case eventsSink, phasesSink, backgroundStaysSink

    var hasScope: Bool { Self.scoped.contains(self) }
    static let scoped: Set<Self> = [.scope, .returning, .capturing, .opening]
    var hasMoment: Bool { hasScope && self != .scope }
    /// Others end with their scope or owner.
    var canBeCancelled: Bool { !hasScope && self != .owner }
    var isSubscriber: Bool { Self.subscribers.contains(self) }
    static let subscribers: Set<Self> = [
      .events, .phases, .backgroundStays, .openings, .suppressedInputs,
    ]
    /// Closures that are called at the end.
    var isSink: Bool { Self.sinks.contains(self) }
    static let sinks: Set<Self> = [.eventsSink, .phasesSink, .backgroundStaysSink]
  }

  var form: Form
  var kinds = LifecycleEvent.Kinds.all
  var catchUp = LifecycleCatchUp.nothing
  /// Of observers of openings and returns: the least time away in seconds, and when they are called.
  var minimum = 0
  var moment = LifecycleOpening.Moment.visible
  var scope: Int?
  var owner: Int?
  var id: String?
  /// How much a subscriber asks for at first; nil for everything.
  var demand: Int?
}

/// What a script can do to a bus, and to the model of one.
protocol ScriptedBus: AnyObject {
  var phase: LifecyclePhase { get }
  var liveCount: Int { get }
  func send(_ kind: LifecycleEvent.Kind, at instant: LifecycleInstant) -> LifecycleSendResult
  func add(_ number: Int, _ spec: ObserverSpec)
  func cancel(_ number: Int)
  func request(_ number: Int, _ count: Int)
  func makeScope(_ number: Int, parent: Int?)
  func isEnded(scope: Int) -> Bool
  func end(scope: Int)
  func end(scope: Int, at kind: LifecycleEvent.Kind)
  func end(scope: Int, when condition: EndCondition)
  func makeOwner(_ number: Int)
  func release(owner: Int)
  func releaseBus()
}

/// A random script: what is done to the bus from outside, and what each observer does when it is
/// called, or released, for the nth time.
///
/// Everything follows from the seed and from the order of the calls, so that two buses that behave
/// alike are put through the same script.
///
/// `@unchecked Sendable`: a script runs on one thread.
final class Script: @unchecked Sendable {
  let seed: UInt64
  private(set) var trace: [String] = []
  /// How often each action was done from inside a callback.
  private(set) var nestedActions: [String: Int] = [:]
  private let makeBus: (Script) -> any ScriptedBus
  /// Whether the release of what an observer captured is part of the script.
  private let followsReleases: Bool
  private var bus: (any ScriptedBus)!
  private var time = 0
  private var budget = 40
  private var depth = 0
  private var calls: [Int] = []
  private var specs: [ObserverSpec] = []
  /// Whether the registering call has returned, and with it the token.
  private var isAdded: [Bool] = []
  private var scopeCount = 0
  private var livingOwners: [Int] = []
  private var ownerCount = 0
  private var isOver = false

  init(
    seed: UInt64,
    followsReleases: Bool = true,
    on makeBus: @escaping (Script) -> any ScriptedBus
  ) {
    self.seed = seed
    self.followsReleases = followsReleases
    self.makeBus = makeBus
  }

  func run() {
    bus = makeBus(self)
    var generator = Generator(seed, 0, 0)
    for _ in 0..<12 { act(&generator) }
    trace.append("the bus is released")
    isOver = true
    bus.releaseBus()
    for scope in 0..<scopeCount where bus.isEnded(scope: scope) {
      trace.append("scope \(scope) has ended")
    }
    for number in specs.indices where specs[number].form.isSubscriber {
      trace.append("request for \(number)")
      bus.request(number, 100)
    }
    for number in specs.indices where specs[number].form.canBeCancelled { bus.cancel(number) }
    bus = nil
  }

  // MARK: Callbacks

  /// An observer was called.
  func called(_ number: Int, _ what: String) {
    trace.append("\(indentation)\(number): \(what)")
    react(number)
  }

  /// What an observer captured was released.
  func released(_ number: Int) {
    guard followsReleases else { return }
    trace.append("\(indentation)\(number) is released")
    react(number)
  }

  private func react(_ number: Int) {
    guard !isOver else { return }
    calls[number] += 1
    var generator = Generator(seed, UInt64(number + 1), UInt64(calls[number]))
    depth += 1
    defer { depth -= 1 }
    for _ in 0..<[0, 0, 1, 1, 2][generator.next(below: 5)] where budget > 0 {
      budget -= 1
      act(&generator)
    }
  }

  private var indentation: String { String(repeating: "  ", count: depth) }

  // MARK: Actions

  private func act(_ generator: inout Generator) {
    switch generator.next(below: 21) {
    case 0..<6: send(&generator)
    case 6..<11: add(&generator)
    case 11..<14: cancel(&generator)
    case 14: makeScope(&generator)
    case 15: endScope(&generator)
    case 16: endScopeAtEvent(&generator)
    case 17: endScopeAtPhase(&generator)
    case 18: request(&generator)
    case 19: releaseOwner(&generator)
    default: note("look", "phase \(bus.phase), \(bus.liveCount) live")
    }
  }

  private func note(_ action: String, _ line: String) {
    trace.append("\(indentation)\(action) \(line)")
    if depth > 0 { nestedActions[action, default: 0] += 1 }
  }

  private func send(_ generator: inout Generator) {
    // The end comes seldom, so that most of a script is lived through.
    let kinds: [LifecycleEvent.Kind] =
      PhaseOracle.transitions.dropLast() + PhaseOracle.transitions.dropLast() + [.systemDidWake]
    let isLast = generator.next(below: 40) == 0
    let kind = isLast ? .willTerminate : kinds[generator.next(below: kinds.count)]
    note("send", "\(kind)")
    time += 1
    let reading = Duration.seconds(time)
    let instant = LifecycleInstant(everyClock: reading)
    let outcome = bus.send(kind, at: instant)
    trace.append("\(indentation)sent \(kind): \(outcome.line)")
  }

  private func add(_ generator: inout Generator) {
    let forms = ObserverSpec.Form.allCases
    var spec = ObserverSpec(form: forms[generator.next(below: forms.count)])
    if [.token, .scope, .owner, .opening, .eventsSink].contains(spec.form) {
      spec.catchUp = LifecycleCatchUp.allCases[generator.next(below: 3)]
      if spec.form != .opening, generator.next(below: 3) == 0 {
        spec.kinds = LifecycleEvent.Kinds(
          PhaseOracle.transitions.filter { _ in generator.next(below: 2) == 0 }
        )
      }
    }
    if spec.form.hasMoment {
      spec.minimum = [0, 0, 2, 5][generator.next(below: 4)]
      spec.moment = [.visible, .active][generator.next(below: 2)]
    }
    if spec.form.hasScope {
      guard let scope = livingScope(&generator) else { return }
      spec.scope = scope
    }
    if spec.form == .owner {
      if livingOwners.isEmpty || generator.next(below: 4) == 0 {
        livingOwners.append(ownerCount)
        bus.makeOwner(ownerCount)
        ownerCount += 1
      }
      spec.owner = livingOwners[generator.next(below: livingOwners.count)]
    }
    if spec.form.hasScope || spec.form == .owner, generator.next(below: 2) == 0 {
      spec.id = "\(spec.owner ?? -1) \(generator.next(below: 2))"
    }
    if spec.form.isSubscriber {
      spec.demand = [0, 1, 2, nil][generator.next(below: 4)]
    }
    let number = specs.count
    specs.append(spec)
    calls.append(0)
    isAdded.append(false)
    note("add", "\(number) \(spec.form)")
    bus.add(number, spec)
    isAdded[number] = true
  }

  private func livingScope(_ generator: inout Generator) -> Int? {
    let living = (0..<scopeCount).filter { !bus.isEnded(scope: $0) }
    return living.isEmpty ? nil : living[generator.next(below: living.count)]
  }

  private func cancel(_ generator: inout Generator) {
    let added = specs.indices.filter { isAdded[$0] && specs[$0].form.canBeCancelled }
    guard !added.isEmpty else { return }
    let number = added[generator.next(below: added.count)]
    note("cancel", "\(number)")
    bus.cancel(number)
  }

  private func request(_ generator: inout Generator) {
    let subscribers = specs.indices.filter { specs[$0].form.isSubscriber }
    guard !subscribers.isEmpty else { return }
    let number = subscribers[generator.next(below: subscribers.count)]
    let count = 1 + generator.next(below: 3)
    note("request", "\(count) for \(number)")
    bus.request(number, count)
  }

  private func makeScope(_ generator: inout Generator) {
    let parent = generator.next(below: 2) == 0 ? livingScope(&generator) : nil
    note("scope", "\(scopeCount), parent \(parent ?? -1)")
    scopeCount += 1
    bus.makeScope(scopeCount - 1, parent: parent)
  }

  private func endScope(_ generator: inout Generator) {
    guard scopeCount > 0 else { return }
    let scope = generator.next(below: scopeCount)
    note("end", "\(scope)")
    bus.end(scope: scope)
  }

  private func endScopeAtEvent(_ generator: inout Generator) {
    guard let scope = livingScope(&generator) else { return }
    let kind = PhaseOracle.transitions[generator.next(below: 6)]
    note("end at event", "\(scope), \(kind)")
    bus.end(scope: scope, at: kind)
  }

  private func endScopeAtPhase(_ generator: inout Generator) {
    guard let scope = livingScope(&generator) else { return }
    let condition = EndCondition.allCases[generator.next(below: EndCondition.allCases.count)]
    note("end at phase", "\(scope), \(condition)")
    bus.end(scope: scope, when: condition)
  }

  private func releaseOwner(_ generator: inout Generator) {
    guard !livingOwners.isEmpty else { return }
    let owner = livingOwners.remove(at: generator.next(below: livingOwners.count))
    note("release", "owner \(owner)")
    bus.release(owner: owner)
  }
}

/// A condition that ends a scope of a script, and what the reference bus knows of it.
enum EndCondition: CaseIterable {
  case launched, foreground, active, notActive, background, atMostBackground, atMostUnknown
  case terminated

  var condition: LifecyclePhase.Condition {
    switch self {
    case .launched: .atLeast(.background)
    case .foreground: .atLeast(.inactive)
    case .active: .active
    case .notActive: .atMost(.inactive)
    case .background: .background
    case .atMostBackground: .atMost(.background)
    case .atMostUnknown: .atMost(.unknown)
    case .terminated: .atMost(.terminated)
    }
  }

  /// The events on whose way the phase comes to meet the condition.
  var kinds: [LifecycleEvent.Kind] {
    switch self {
    case .launched: [.didFinishLaunching, .willEnterForeground, .didBecomeActive]
    case .foreground: [.willEnterForeground, .didBecomeActive]
    case .active: [.didBecomeActive]
    case .notActive: [.willResignActive, .didEnterBackground, .willTerminate]
    case .background: [.didEnterBackground]
    case .atMostBackground: [.didEnterBackground, .willTerminate]
    case .atMostUnknown, .terminated: [.willTerminate]
    }
  }

  func isMet(in phase: LifecyclePhase) -> Bool {
    switch self {
    case .launched: [.background, .inactive, .active].contains(phase)
    case .foreground: [.inactive, .active].contains(phase)
    case .active: phase == .active
    case .notActive: phase != .active
    case .background: phase == .background
    case .atMostBackground: ![.inactive, .active].contains(phase)
    case .atMostUnknown: [.terminated, .unknown].contains(phase)
    case .terminated: phase == .terminated
    }
  }
}

extension LifecycleEvent {
  /// All of the event that the bus decides.
  var fullLine: String {
    let stay = backgroundStay.map { ", away for \($0.timeAway.components.seconds)" } ?? ""
    return "\(line) @\(instant.continuous.timeSinceBoot.components.seconds)\(stay)"
  }
}

extension ObserverSpec.Form {
  func text(_ stay: BackgroundStay) -> String { "away for \(stay.timeAway.components.seconds)" }

  func text(_ opening: LifecycleOpening) -> String {
    let seconds = opening.timeAway.components.seconds
    guard let stay = opening.stay else { return "opening \(opening.number), after \(seconds)" }
    return "opening \(opening.number), \(text(stay)), \(seconds)"
  }
}
