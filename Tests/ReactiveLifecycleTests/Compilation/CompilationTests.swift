import CustomDump
import TestSupport
import Testing

/// What the compiler, not the run time, must catch, and what must compile without ado, in another
/// package.
///
/// A test hands all of its samples to the compiler at once.
@Suite(
  "Compilation",
  .enabled(if: Compiler() != nil, "no swiftc on the search path"),
  .startsProcesses
)
struct CompilationTests {
  private let combine = ["LifecycleCombine", "ReactiveLifecycle"]

  // MARK: What compiles

  @Test("Correct code compiles without a warning, beside Combine itself")
  func correctCode() throws {
    let code = [Self.viewModel, Self.server, Self.genericCode, Self.streams, Self.types]
    let diagnostics = try #require(Compiler())
      .diagnostics(in: code.joined(separator: "\n"), importing: combine + [systemCombine])
    expectNoDifference(diagnostics, [])
  }

  @Test("With Combine itself, code needs no LifecycleCombine")
  func systemCombineAlone() throws {
    let code = """
      func observe(_ bus: LifecycleBus, _ names: PassthroughSubject<String, Never>)
        -> [AnyCancellable]
      {
        [
          bus.phases.map(\\.isForeground).sink { _ in },
          names.whilePhase(.atLeast(.active), of: bus).sink { _ in },
        ]
      }
      """
    let modules = ["ReactiveLifecycle", systemCombine]
    expectNoDifference(
      try #require(Compiler()).diagnostics(in: code, importing: modules),
      []
    )
  }

  private var systemCombine: String {
    #if canImport(Combine)
      "Combine"
    #else
      "OpenCombine"
    #endif
  }

  /// On the main actor, with no annotation and no hop.
  private static let viewModel = """
    @MainActor final class RentalModel {
      var count = 0
      let scope = LifecycleScope("view model")
      var token: LifecycleCancellable?

      func appear(_ bus: LifecycleBus, _ other: NonisolatedLifecycleBus) {
        bus.addObserver(for: [.didEnterBackground], in: scope, id: "save") { event in
          self.count += event.sequenceNumber
        }
        bus.onReturn(in: scope) { stay in self.count += Int(stay.timeAway / .seconds(1)) }
        bus.onReturn(in: scope, capturing: { self.count }) { _, old in self.count = old ?? 0 }
        bus.onReturn(self) { model, stay in model.count += 1 }
        bus.addObserver(self) { model, event in model.count += 1 }
        token = bus.addObserver { [weak self] _ in self?.count += 1 }
        bus.phases.map(\\.isForeground).sink { self.count += $0 ? 1 : 0 }.store(in: scope)
        bus.send(.didBecomeActive)
        scope.task(for: bus.events) { [weak self] events in
          for await event in events { self?.count += event.sequenceNumber }
        }
        scope.task(for: other.phases, buffering: .bufferingNewest(1)) { [weak self] phases in
          for await phase in phases where phase == .active { self?.count += 1 }
        }
        scope.task { [weak self] in self?.count += 1 }
        scope.onEnd { print("ended") }
        scope.end(when: .atMost(.background), of: bus)
      }

      func run(_ bus: LifecycleBus) async throws {
        try await bus.repeatWhile(.atLeast(.active)) { self.count += 1 }
        try await scope.task { try await bus.waitUntil(.atLeast(.active)) }.value
      }
    }
    // The closure of a main-actor bus is one of the main actor, wherever it is made.
    func observe(_ bus: LifecycleBus, _ model: RentalModel, _ scope: LifecycleScope) {
      bus.addObserver(in: scope) { _ in model.count += 1 }
      bus.onReturn(in: scope) { _ in model.count += 1 }
      bus.addObserver { _ in model.count += 1 }.store(in: scope)
    }
    """

  /// Off the main actor.
  private static let server = """
    final class Server: Sendable {
      let scope = LifecycleScope("server")
      func flush() {}

      func start(_ bus: NonisolatedLifecycleBus) -> LifecycleCancellable {
        bus.onReturn(in: scope) { _ in self.flush() }
        bus.onReturn(in: scope, capturing: { 1 }) { _, number in print(number ?? 0) }
        bus.addObserver(for: [.willTerminate], in: scope, id: 1) { _ in self.flush() }
        bus.onExitRequest(in: scope) { _ in .exit }
        scope.task(for: bus.events) { [weak self] events in
          for await _ in events { self?.flush() }
        }
        scope.task { @MainActor in print("on the main actor") }
        return bus.addObserver(for: [.willTerminate]) { _ in self.flush() }
      }
    }
    actor Worker {
      var count = 0
      let scope = LifecycleScope("worker")

      func start(_ bus: NonisolatedLifecycleBus, _ app: LifecycleBus, _ server: Server) {
        let token = server.start(bus)
        app.addObserver(in: scope) { _ in server.flush() }
        app.send(.didBecomeActive)
        scope.task { self.count += 1 }
        token.cancel()
      }
    }
    """

  private static let genericCode = """
    func observe(_ bus: some LifecycleBusProtocol, _ scope: LifecycleScope) {
      bus.publisher(for: .willTerminate).sink { _ in print("over") }.store(in: scope)
      scope.task(for: bus.phases) { phases in for await phase in phases { print(phase) } }
      scope.end(at: .willTerminate, of: bus)
    }
    func wait(on bus: some LifecycleBusProtocol) async throws {
      try await bus.waitUntil(.atLeast(.active))
      try await bus.repeatWhile(.atLeast(.active)) { print("active") }
    }
    @MainActor func waitOnTheMainActor(on bus: any LifecycleBusProtocol) async throws {
      var count = 0
      try await bus.repeatWhile(.atLeast(.active)) { count += 1 }
      print(count)
    }
    final class ScreenBus: LifecycleBusProtocol {
      private let bus = NonisolatedLifecycleBus()
      var core: LifecycleBusCore { bus.core }
    }
    """

  /// Combine's operators, where asynchronous sequences have some of the same name, and lists of kinds.
  private static let streams = """
    extension LifecycleEvent.Kind { static let photoDidSave: Self = "photoDidSave" }
    func observe(_ bus: LifecycleBus, _ scope: LifecycleScope, _ kinds: LifecycleEvent.Kinds) {
      for kinds in [kinds, .all, .transitions, [.photoDidSave, .willTerminate], []] {
        bus.addObserver(for: kinds, in: scope) { _ in }
      }
      bus.addObserver(for: .didEnterBackground, in: scope) { _ in }
      bus.publisher(for: [.photoDidSave, .willTerminate]).sink { _ in }.store(in: scope)
      bus.events.filter { $0.phase != $0.previousPhase }.map(\\.kind.rawValue)
        .sink { print($0.count) }.store(in: scope)
      bus.events.compactMap { $0.backgroundStay }.sink { print($0.timeAway) }.store(in: scope)
      bus.phases.first { $0 == .active }.sink { print($0.isForeground) }.store(in: scope)
      bus.phases.prefix(3).reduce(0) { count, _ in count + 1 }.sink { print($0) }.store(in: scope)
      bus.phases.dropFirst().contains(.active).sink { print(!$0) }.store(in: scope)
      bus.phases.drop { $0 == .active }.prefix { $0 != .active }.max().sink { _ in }.store(in: scope)
      bus.phases.flatMap { Just($0) }.allSatisfy { $0 == .active }.sink { _ in }.store(in: scope)
    }
    @MainActor func wait(_ bus: LifecycleBus) async {
      for await phase in bus.phases.asyncSequence() { print(phase) }
    }
    """

  /// What goes to any thread, and types of the program's own that Combine has, too.
  private static let types = """
    func share(_ value: some Sendable) {}
    func shareAll(_ bus: LifecycleBus, _ other: NonisolatedLifecycleBus, _ scope: LifecycleScope,
      _ token: LifecycleCancellable, _ connection: LifecycleCancellable, _ event: LifecycleEvent
    ) {
      share(bus); share(other); share(scope); share(token); share(connection); share(event)
      share(bus.events); share(bus.suppressedInputs)
    }
    struct Record { var name = "" }
    enum Empty { case nothing }
    struct Subscription { var price = 1 }
    print(Subscription().price + Record().name.count + [Empty.nothing].count)
    """

  @Test("The compiler warns of a token that alone keeps its observer")
  func unusedResults() throws {
    let code = """
      @MainActor func lose(_ bus: LifecycleBus, _ other: NonisolatedLifecycleBus) {
        bus.addObserver { _ in }
        other.addObserver { _ in }
        _ = bus.addObserver { _ in }
      }
      """
    let diagnostics = try #require(Compiler()).diagnostics(in: code, importing: combine)
    expectNoDifference(
      diagnostics.map { $0.firstMatch(of: /warning: result of call to '(\w+)\(.*' is unused/)?.1 },
      ["addObserver", "addObserver"]
    )
  }

  // MARK: What does not compile

  /// A piece of code, and the one error that it must have.
  private struct Mistake {
    let error: String
    let code: String
  }

  @Test("Each mistake has one error, which says what is wrong")
  func mistakes() throws {
    var modules = combine
    var mistakes = Self.mistakes
    #if !canImport(Combine)
      modules += ["Dispatch", "Foundation"]
      mistakes += Self.openCombineMistakes
    #endif
    let types = """
      @MainActor final class ViewModel {
        var count = 0
        let scope = LifecycleScope("view model")
      }
      final class Cache { var entries: [Int] = [] }
      """
    try expectOneError(in: mistakes, beside: types, importing: modules)
  }

  @Test("Without LifecycleCombine, nothing of Combine is there, nor is one of its names taken")
  func withoutLifecycleCombine() throws {
    let mistakes = [
      Mistake(
        error: "'sink(receiveValue:)' is not available due to missing import of defining module",
        code: """
          @MainActor func observe(_ bus: LifecycleBus, _ scope: LifecycleScope) {
            bus.phases.sink { print($0) }.store(in: scope)
          }
          """
      ),
      Mistake(
        error: "cannot find type 'AnyCancellable' in scope",
        code: "var cancellables: [AnyCancellable] = []"
      ),
      Mistake(
        error: "cannot find type 'Record' in scope",
        code: "func read(_ record: Record<Int, Never>, on bus: LifecycleBus) {}"
      ),
    ]
    try expectOneError(in: mistakes, importing: ["ReactiveLifecycle"])
  }

  private func expectOneError(
    in mistakes: [Mistake],
    beside types: String = "",
    importing modules: [String]
  ) throws {
    let code = ([types] + mistakes.map(\.code)).joined(separator: "\n")
    let errors = try #require(Compiler()).errors(in: code, importing: modules)
    let lines = try errors.map { error in
      try #require(error.firstMatch(of: /:(\d+):\d+: error:/).flatMap { Int($0.1) }, "\(error)")
    }
    func lineCount(_ code: String) -> Int { code.count { $0.isNewline } + 1 }
    var line = modules.count + 1 + lineCount(types)
    for mistake in mistakes {
      let range = line..<line + lineCount(mistake.code)
      let own = zip(lines, errors).filter { range.contains($0.0) }.map(\.1)
      #expect(own.count == 1 && own[0].contains(mistake.error), "\(mistake.code)\n\(own)")
      line = range.upperBound
    }
    #expect(errors.count == mistakes.count, "\(errors)")
  }

  /// With the errors that the article *Gotchas* quotes.
  private static let mistakes = [
    Mistake(
      error: "type 'LifecycleBus' has no member 'application'",
      code: "let phase = LifecycleBus.application.phase"
    ),
    // A kind of the program's own needs brackets.
    Mistake(
      error: "type 'LifecycleEvent.Kinds' has no member 'documentDidSave'",
      code: """
        extension LifecycleEvent.Kind { static let documentDidSave: Self = "documentDidSave" }
        func observeOwnKind(_ bus: LifecycleBus, _ scope: LifecycleScope) {
          bus.addObserver(for: .documentDidSave, in: scope) { _ in }
        }
        """
    ),
    // The mistake, not the call around it.
    Mistake(
      error: "cannot find 'undefined' in scope",
      code: """
        func observeWithMistake(_ bus: LifecycleBus, _ scope: LifecycleScope) {
          bus.addObserver(for: .didEnterBackground, in: scope) { event in undefined(event) }
        }
        """
    ),
    Mistake(
      error: "to parameter expecting synchronous function type",
      code: """
        func observeAsynchronously(_ bus: LifecycleBus, _ scope: LifecycleScope) {
          bus.onReturn(in: scope) { _ in await Task.yield() }
        }
        """
    ),
    Mistake(
      error: "use asyncSequence() instead: for await event in bus.events.asyncSequence()",
      code: """
        func log(_ bus: some LifecycleBusProtocol) async {
          for await event in bus.events { print(event.kind) }
        }
        """
    ),
    Mistake(
      error: "type 'ContinuousInstant' has no member 'seconds'",
      code: """
        func wait(_ clock: some LifecycleClock) {
          _ = clock.schedule(at: .seconds(600)) { print("ten minutes") }
        }
        """
    ),
    Mistake(
      error: "requires the types 'LifecycleEvent' and 'LifecyclePhase' be equivalent",
      code: "func settle(_ bus: LifecycleBus) { _ = bus.events.settle(for: .seconds(2)) }"
    ),
    // A task that captures its owner unnoticed.
    Mistake(
      error: "requires explicit use of 'self' to make capture semantics explicit",
      code: "extension ViewModel { func appear() { scope.task { count += 1 } } }"
    ),
    Mistake(
      error: "main actor-isolated property 'count' can not be mutated from a Sendable closure",
      code: """
        extension ViewModel {
          func observe(_ bus: NonisolatedLifecycleBus) {
            bus.addObserver(in: scope) { event in self.count += 1 }
          }
        }
        """
    ),
    Mistake(
      error: "value of type 'any LifecycleBusProtocol' has no member 'addObserver'",
      code: """
        func observeEither(_ bus: any LifecycleBusProtocol, _ scope: LifecycleScope) {
          bus.addObserver(in: scope) { _ in }
        }
        """
    ),
    Mistake(
      error: "capture of 'cache' with non-Sendable type 'Cache' in a '@Sendable' closure",
      code: """
        func observe(_ bus: NonisolatedLifecycleBus, _ cache: Cache) -> LifecycleCancellable {
          bus.addObserver { _ in cache.entries = [] }
        }
        """
    ),
    Mistake(
      error: "type 'Cache' does not conform to the 'Sendable' protocol",
      code: """
        func capture(_ bus: NonisolatedLifecycleBus, _ scope: LifecycleScope) {
          bus.onReturn(in: scope, capturing: { Cache() }) { _, _ in }
        }
        """
    ),
    Mistake(
      error: "call to main actor-isolated instance method 'addObserver(_:for:id:",
      code: """
        func ownOffTheMainActor(_ bus: LifecycleBus, _ cache: Cache) {
          bus.addObserver(cache) { cache, _ in cache.entries = [] }
        }
        """
    ),
    Mistake(
      error: "non-Sendable type 'Cache' of property 'cache' cannot exit actor-isolated context",
      code: """
        actor Worker {
          let cache = Cache()
          func observe(_ bus: LifecycleBus) -> LifecycleCancellable {
            bus.addObserver { _ in self.cache.entries = [] }
          }
        }
        """
    ),
    Mistake(
      error: "'phase' is inaccessible due to 'package' protection level",
      code: "func phase(_ bus: LifecycleBus) -> LifecyclePhase { bus.core.phase }"
    ),
  ]

  /// Nothing of Dispatch and Foundation publishes or schedules.
  private static let openCombineMistakes = [
    Mistake(
      error: "requires that 'DispatchQueue' conform to 'Scheduler'",
      code: "let queue = Just(1).receive(on: DispatchQueue.main)"
    ),
    Mistake(error: "type 'Timer' has no member 'publish'", code: "let publish = Timer.publish"),
  ]
}
