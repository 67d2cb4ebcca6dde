import LifecycleCore

/// What a bus must do, for one thread, written to be read: plain arrays, and one loop.
final class ReferenceBus: ScriptedBus {
  private struct Observer {
    let spec: ObserverSpec
    var isAlive = true
    // Of subscribers:
    var demand = 0
    var waiting: [String] = []
    var isFinishing = false
    // Of subscribers of phases: the last value that was handed out.
    var received: String?
    // Of observers that capture:
    var captured: Int?
    /// True once an observer of openings has received one.
    var hasOpened = false
  }

  /// The last opening, and what observers receive of it.
  private struct Opening {
    var number = 0
    var stay: String?
    var seconds = 0
    var isActive = false
    var hasBecomeActive = false

    var text: String {
      "opening \(number), \(stay.map { "\($0), " } ?? "after ")\(seconds)"
    }
  }

  private struct Scope {
    enum Entry { case observer(Int), child(Int) }
    var isEnded = false
    var entries: [Entry] = []
  }

  private enum Work {
    case event(LifecycleEvent)
    case suppressed(String)
    case release
  }

  private enum Chore {
    case start(Int)
    case pump(Int)
    case finish(Int)
  }

  private unowned let script: Script
  private var oracle = PhaseOracle()
  private var observers: [Observer] = []
  private var scopes: [Scope] = []
  private var livingOwners: Set<Int> = []
  /// The owners that are kept by a call of their closure.
  private var ownersInCalls: [Int] = []
  private var endings: [(scope: Int, kinds: [LifecycleEvent.Kind])] = []

  /// The observers of events, and those of suppressed inputs, in order of registration.
  private var audience: [Int] = []
  private var suppressionAudience: [Int] = []
  /// Those of the audience that have an owner, and how many of them the round of looks has not come
  /// to yet: each registration looks at two, from the end to the front.
  private var owned: [Int] = []
  private var remainingLooks = 0

  private var work: [Work] = []
  private var chores: [Chore] = []
  private var isDelivering = false
  private var doomed: [Int] = []
  /// The observers whose registering call has not returned, and whether they were released
  /// meanwhile.
  private var beingAdded: [Int: Bool] = [:]
  private var last: LifecycleEvent?
  private var launch: LifecycleInstant?
  private var opening = Opening()
  private var isFinished = false
  private var isReleased = false

  init(_ script: Script) {
    self.script = script
  }

  var phase: LifecyclePhase { last?.phase ?? .unknown }
  var liveCount: Int {
    (audience + suppressionAudience).count { number in
      observers[number].spec.owner.map { isAlive(owner: $0) } ?? true
    }
  }

  // MARK: Inputs

  func send(_ kind: LifecycleEvent.Kind, at instant: LifecycleInstant) -> LifecycleSendResult {
    let wasDelivering = isDelivering
    switch oracle.accept(kind, at: instant) {
    case .success(let events):
      work += events.map { .event($0) }
      deliver()
      return wasDelivering ? .queued : .delivered
    case .failure(let suppression):
      work.append(.suppressed("\(kind) \(suppression.reason)"))
      deliver()
      return .suppressed(suppression.reason)
    }
  }

  func releaseBus() {
    isReleased = true
    work.append(.release)
    deliver()
  }

  // MARK: Observers

  func add(_ number: Int, _ spec: ObserverSpec) {
    observers.append(Observer(spec: spec))
    // The caller holds what it registers until the call returns.
    beingAdded[number] = false
    defer { if beingAdded.removeValue(forKey: number) == true { script.released(number) } }
    if let scope = spec.scope { scopes[scope].entries.append(.observer(number)) }
    if spec.form.isSubscriber {
      subscribe(number, spec)
    } else if spec.form.isSink {
      sink(number, spec)
    } else {
      register(number, spec)
    }
  }

  private func register(_ number: Int, _ spec: ObserverSpec) {
    guard !isFinished else { return cancel(number) }
    let sample = sampleOwned()
    let replaced = audience.first { other in
      let otherSpec = observers[other].spec
      return spec.id != nil && otherSpec.id == spec.id && otherSpec.scope == spec.scope
        && otherSpec.owner == spec.owner
    }
    audience.append(number)
    if spec.owner != nil { owned.append(number) }
    if spec.catchUp != .nothing { chores.append(.start(number)) }
    if let replaced { cancel(replaced) }
    if spec.catchUp != .nothing { deliver() }
    cancelOrphans(of: sample)
  }

  private func sampleOwned() -> [Int] {
    (0..<2).compactMap { _ in
      if remainingLooks == 0 { remainingLooks = owned.count }
      guard remainingLooks > 0 else { return nil }
      remainingLooks -= 1
      return owned[remainingLooks]
    }
  }

  private func cancelOrphans(of sample: [Int]) {
    for number in sample where !isAlive(owner: observers[number].spec.owner!) { cancel(number) }
  }

  // One that starts with nothing leaves alone what waits, such as the start of an observer whose
  // registering call has released another one.

  private func subscribe(_ number: Int, _ spec: ObserverSpec) {
    let sample = sampleOwned()
    observers[number].demand = spec.demand ?? .max / 2
    let starts = spec.form == .phases || spec.form == .openings
    if starts { chores.append(.start(number)) }
    let hasEnded = spec.form == .suppressedInputs ? isReleased : isFinished
    if hasEnded {
      chores.append(.finish(number))
    } else if spec.form == .suppressedInputs {
      suppressionAudience.append(number)
    } else {
      audience.append(number)
    }
    if starts || hasEnded { deliver() }
    cancelOrphans(of: sample)
  }

  private func sink(_ number: Int, _ spec: ObserverSpec) {
    let sample = sampleOwned()
    let starts = spec.catchUp != .nothing || spec.form == .phasesSink
    if starts { chores.append(.start(number)) }
    if isFinished { chores.append(.finish(number)) } else { audience.append(number) }
    if starts || isFinished { deliver() }
    cancelOrphans(of: sample)
  }

  func cancel(_ number: Int) {
    guard observers[number].isAlive else { return }
    observers[number].isAlive = false
    observers[number].waiting = []
    audience.removeAll { $0 == number }
    suppressionAudience.removeAll { $0 == number }
    leaveOwned(number)
    if isDelivering { doomed.append(number) } else { release(number) }
  }

  /// The last one takes the place.
  private func leaveOwned(_ number: Int) {
    guard let place = owned.firstIndex(of: number) else { return }
    owned.swapAt(place, owned.count - 1)
    owned.removeLast()
    remainingLooks = min(remainingLooks, owned.count)
  }

  private func release(_ number: Int) {
    if beingAdded[number] != nil { beingAdded[number] = true } else { script.released(number) }
  }

  func request(_ number: Int, _ count: Int) {
    guard observers[number].isAlive else { return }
    observers[number].demand += count
    chores.append(.pump(number))
    deliver()
  }

  func makeOwner(_ number: Int) { livingOwners.insert(number) }
  func release(owner: Int) { livingOwners.remove(owner) }

  private func isAlive(owner: Int) -> Bool {
    livingOwners.contains(owner) || ownersInCalls.contains(owner)
      || beingAdded.keys.contains { observers[$0].spec.owner == owner }
  }

  // MARK: Scopes

  func makeScope(_ number: Int, parent: Int?) {
    scopes.append(Scope())
    if let parent { scopes[parent].entries.append(.child(number)) }
  }

  func isEnded(scope: Int) -> Bool { scopes[scope].isEnded }

  func end(scope: Int) {
    guard !scopes[scope].isEnded else { return }
    scopes[scope].isEnded = true
    for entry in scopes[scope].entries.reversed() {
      switch entry {
      case .observer(let number): cancel(number)
      case .child(let child): end(scope: child)
      }
    }
  }

  func end(scope: Int, at kind: LifecycleEvent.Kind) {
    if isFinished { end(scope: scope) } else { endings.append((scope, [kind])) }
  }

  func end(scope: Int, when condition: EndCondition) {
    let isMet = condition.isMet(in: phase) && phase != .unknown
    if isFinished || isMet { end(scope: scope) } else { endings.append((scope, condition.kinds)) }
  }

  // MARK: Delivery

  private func deliver() {
    guard !isDelivering else { return }
    isDelivering = true
    while true {
      if !doomed.isEmpty {
        release(doomed.removeFirst())
      } else if !chores.isEmpty {
        carryOut(chores.removeFirst())
      } else if phase == .terminated && !isFinished {
        finish(audience)
      } else if !work.isEmpty {
        carryOut(work.removeFirst())
      } else {
        break
      }
    }
    isDelivering = false
  }

  private func carryOut(_ chore: Chore) {
    switch chore {
    case .start(let number): start(number)
    case .pump(let number): pump(number)
    case .finish(let number): finish(number)
    }
  }

  private func carryOut(_ work: Work) {
    switch work {
    case .event(let event):
      last = event
      if event.phase != .unknown, launch == nil { launch = event.instant }
      if event.kind == .willEnterForeground {
        let stay = event.backgroundStay
        let away = stay?.timeAway ?? launch!.duration(to: event.instant)
        opening = Opening(
          number: opening.number + 1,
          stay: stay.map { ObserverSpec.Form.opening.text($0) },
          seconds: Int(away.components.seconds)
        )
      }
      opening.isActive = event.kind == .didBecomeActive && !opening.hasBecomeActive
      if opening.isActive { opening.hasBecomeActive = true }
      let called = event.phase < event.previousPhase ? audience.reversed() : audience
      let ending = endings.filter { $0.kinds.contains(event.kind) }
      if event.kind == .didEnterBackground { capture(audience, event) }
      for number in called where observers[number].isAlive { offer(number, event) }
      for (scope, _) in ending { end(scope: scope) }
    case .suppressed(let text):
      for number in suppressionAudience where observers[number].isAlive { offer(number, text) }
    case .release:
      finish(audience + suppressionAudience)
    }
  }

  /// Returns whether the observer receives the last opening at an event.
  private func opens(_ number: Int, at event: LifecycleEvent) -> Bool {
    let spec = observers[number].spec
    let isDue = spec.moment == .active ? opening.isActive : event.kind == .willEnterForeground
    let isFirst = opening.stay == nil || spec.catchUp != .nothing && !observers[number].hasOpened
    guard isDue, isFirst || opening.seconds >= spec.minimum else { return false }
    observers[number].hasOpened = true
    return true
  }

  /// Those that capture do so before anything else happens at the event.
  private func capture(_ numbers: [Int], _ event: LifecycleEvent) {
    for number in numbers where observers[number].spec.form == .capturing {
      guard observers[number].isAlive else { continue }
      observers[number].captured = event.sequenceNumber
      script.called(number, "capture")
    }
  }

  private func start(_ number: Int) {
    let spec = observers[number].spec
    if spec.form == .opening {
      guard observers[number].isAlive, [.inactive, .active].contains(phase),
        spec.moment == .visible || opening.hasBecomeActive
      else { return }
      observers[number].hasOpened = true
      return script.called(number, opening.text)
    }
    let edges = PhaseOracle.edges.prefix(3).filter { $0.to <= phase }
    let steps: ArraySlice = spec.catchUp == .nothing ? [] : edges[...]
    for step in spec.catchUp == .currentPhase ? steps.suffix(1) : steps
    where observers[number].isAlive {
      offer(
        number,
        LifecycleEvent(
          kind: step.kind,
          previousPhase: step.from,
          phase: step.to,
          sequenceNumber: last!.sequenceNumber,
          instant: last!.instant,
          origin: .catchUp
        )
      )
    }
    guard observers[number].isAlive else { return }
    if spec.form == .phases { offer(number, "\(phase)") }
    if spec.form == .openings, [.inactive, .active].contains(phase) { offer(number, opening.text) }
    if spec.form == .phasesSink { script.called(number, "\(phase)") }
  }

  private func offer(_ number: Int, _ event: LifecycleEvent) {
    let spec = observers[number].spec
    guard spec.kinds.contains(event.kind) else { return }
    switch spec.form {
    case .token, .scope, .eventsSink:
      script.called(number, event.fullLine)
    case .owner:
      if isAlive(owner: spec.owner!) {
        ownersInCalls.append(spec.owner!)
        script.called(number, event.fullLine)
        ownersInCalls.removeLast()
      } else {
        cancel(number)
      }
    case .returning:
      if opens(number, at: event), let stay = opening.stay { script.called(number, stay) }
    case .backgroundStaysSink:
      if let stay = event.backgroundStay { script.called(number, spec.form.text(stay)) }
    case .capturing:
      if opens(number, at: event), let stay = opening.stay {
        let captured = observers[number].captured.map { _ in "something" } ?? "nothing"
        observers[number].captured = nil
        script.called(number, "\(stay), \(captured)")
      }
    case .opening: if opens(number, at: event) { script.called(number, opening.text) }
    case .openings: if event.kind == .willEnterForeground { offer(number, opening.text) }
    case .events: offer(number, event.fullLine)
    case .phases: if event.kind.isTransition { offer(number, "\(event.phase)") }
    case .phasesSink: if event.kind.isTransition { script.called(number, "\(event.phase)") }
    case .backgroundStays:
      if let stay = event.backgroundStay { offer(number, spec.form.text(stay)) }
    case .suppressedInputs: break
    }
  }

  // MARK: Subscribers

  private func offer(_ number: Int, _ value: String) {
    if observers[number].spec.form == .phases {
      observers[number].waiting = []
      if value == observers[number].received { return }
    }
    observers[number].waiting.append(value)
    pump(number)
  }

  private func pump(_ number: Int) {
    while observers[number].isAlive, observers[number].demand > 0,
      !observers[number].waiting.isEmpty
    {
      observers[number].demand -= 1
      let value = observers[number].waiting.removeFirst()
      observers[number].received = value
      script.called(number, value)
    }
    if observers[number].isFinishing, observers[number].isAlive, observers[number].waiting.isEmpty {
      cancel(number)
      script.called(number, "finished")
    }
  }

  private func finish(_ numbers: [Int]) {
    isFinished = true
    audience = []
    owned = []
    remainingLooks = 0
    if isReleased { suppressionAudience = [] }
    let ending = endings
    endings = []
    for number in numbers { finish(number) }
    for (scope, _) in ending { end(scope: scope) }
  }

  private func finish(_ number: Int) {
    if observers[number].spec.form.isSubscriber {
      observers[number].isFinishing = true
      pump(number)
    } else {
      let wasAlive = observers[number].isAlive
      cancel(number)
      if wasAlive, observers[number].spec.form.isSink { script.called(number, "finished") }
    }
  }
}
