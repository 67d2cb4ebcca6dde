import CustomDump
import JobControl
import TestSupport
import Testing

/// What the compiler, not the run time, must catch, and what must compile without ado, in another
/// package.
///
/// A test hands all of its samples to the compiler at once.
@Suite(
  "Compilation of clients",
  .enabled(if: Compiler() != nil, "no swiftc on the search path"),
  .startsProcesses
)
struct CompilationTests {
  private let combine = ["LifecycleCombine", "LifecycleCore"]

  // MARK: What compiles

  @Test("Correct code compiles without a warning, also beside Combine")
  func correctCode() throws {
    let code = [Self.genericCode, Self.streams, Self.types]
    let diagnostics = try #require(Compiler())
      .diagnostics(in: code.joined(separator: "\n"), importing: combine + [systemCombine])
    expectNoDifference(diagnostics, [])
  }

  @Test("A file that imports Combine needs no LifecycleCombine")
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
    let modules = ["LifecycleCore", systemCombine]
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
    // The closure of a main-actor bus is one of the main actor, wherever it is made.
    @MainActor final class RentalModel { var count = 0 }
    func observe(_ bus: LifecycleBus, _ model: RentalModel, _ scope: LifecycleScope) {
      bus.addObserver(in: scope) { _ in model.count += 1 }
      bus.onReturn(in: scope, capturing: { model.count }) { _, old in model.count = old ?? 0 }
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
      bus.phases.dropFirst().contains(.active).sink { print(!$0) }.store(in: scope)
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

  @Test("Each mistake has one error, the one that the article Gotchas quotes")
  func mistakes() throws {
    let types = """
      @MainActor final class ViewModel {
        var count = 0
        let scope = LifecycleScope("view model")
      }
      final class Cache { var entries: [Int] = [] }
      """
    try expectOneError(in: Self.mistakes, beside: types, importing: combine)
  }

  @Test("Without LifecycleCombine a file sees nothing of Combine")
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
    try expectOneError(in: mistakes, importing: ["LifecycleCore"])
  }

  @Test("What an app has not imported beside ReactiveLifecycle is an error that names it")
  func forgottenImports() throws {
    var mistakes = [
      Mistake(
        error: "cannot find 'withBackgroundTask' in scope",
        code: "func upload() async { await withBackgroundTask(named: \"upload\") {} }"
      ),
      Mistake(
        error: "cannot find 'ProcessSignalSource' in scope",
        code: "func wait() async { await ProcessSignalSource.waitForEnd() }"
      ),
    ]
    #if os(macOS) || !canImport(Darwin)
      mistakes.append(
        Mistake(
          error: "not available due to missing import of defining module 'LifecycleProcess'",
          code: "func connect(_ bus: LifecycleBus) { _ = try? bus.connect(.processSignals()) }"
        )
      )
    #endif
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
    Mistake(
      error: "put the kinds in brackets: for: [.didEnterBackground, .willTerminate]",
      code: """
        func observeSeveral(_ bus: LifecycleBus, _ scope: LifecycleScope) {
          bus.addObserver(for: .didEnterBackground, .willTerminate, in: scope) { _ in }
        }
        """
    ),
    Mistake(
      error: "pass the event that begins it, such as .didEnterBackground",
      code: """
        func observePhase(_ bus: LifecycleBus, _ scope: LifecycleScope) {
          bus.addObserver(for: .background, in: scope) { _ in }
        }
        """
    ),
    Mistake(
      error: "pass the event that begins it, such as .didEnterBackground",
      code: """
        func publishPhase(_ bus: LifecycleBus) { _ = bus.publisher(for: .active) }
        """
    ),
    Mistake(
      error: "an observer can't await or throw: in it, call scope.task or startBackgroundTask",
      code: """
        func observeAsynchronously(_ bus: LifecycleBus, _ scope: LifecycleScope) {
          bus.addObserver(for: .didEnterBackground, in: scope) { _ in try await Task.sleep(for: .zero) }
        }
        """
    ),
    Mistake(
      error: "pass in: scope, or an owner; to await or throw, call scope.task in the closure",
      code: """
        func openAsynchronously(_ bus: LifecycleBus, _ scope: LifecycleScope) {
          bus.onOpen(in: scope) { _ in try await Task.sleep(for: .zero) }
        }
        """
    ),
    Mistake(
      error: "pass in: scope, or an owner; to await or throw, call scope.task in the closure",
      code: """
        func returnWithoutScope(_ bus: LifecycleBus) { bus.onReturn(after: .seconds(60)) { _ in } }
        """
    ),
    Mistake(
      error: "missing argument label 'of:' in call",
      code: "@MainActor func follow(_ bus: LifecycleBus) { _ = ObservableLifecycle(bus) }"
    ),
    Mistake(
      error: "to parameter expecting synchronous function type",
      code: """
        extension ViewModel {
          func observeAsynchronously(_ bus: LifecycleBus) {
            bus.onReturn(self) { _, _ in await Task.yield() }
          }
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
      error: "type 'Cache' does not conform to the 'Sendable' protocol",
      code: """
        func capture(_ bus: NonisolatedLifecycleBus, _ scope: LifecycleScope) {
          bus.onReturn(in: scope, capturing: { Cache() }) { _, _ in }
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
}

/// What a client links.
@Suite("Linking of clients", .startsProcesses)
struct LinkingTests {
  #if os(Linux)
    @Test("A program that imports ReactiveLifecycle loads neither networking nor XML")
    func coreLoadsNeitherNetworkingNorXML() throws {
      // The dynamic linker lists what it would load, and starts nothing.
      let (status, text) = try runProgram(
        "/usr/bin/env",
        ["LD_TRACE_LOADED_OBJECTS=1", builtProgramPath("thread-probe")]
      )
      expectNoDifference(status, .exited(0))
      let names = text.split(separator: "\n").map { $0.trimmingPrefix("\t").prefix { $0 != " " } }
      #expect(names.contains { $0.hasPrefix("libswiftCore") }, "\(text)")
      let unwanted = ["FoundationNetworking", "FoundationXML", "libcurl", "libssl", "libxml2"]
      expectNoDifference(names.filter { name in unwanted.contains { name.contains($0) } }, [])
    }
  #endif

  @Test(
    "LifecycleTesting links IssueReportingTestSupport on Linux",
    .enabled(if: Compiler() != nil, "no swiftc on the search path")
  )
  func failuresAreReportedInClients() throws {
    let dependency = try #require(
      try PackageManifest().dependencies.first {
        $0.target == "LifecycleTesting" && $0.product == "IssueReportingTestSupport"
      }
    )
    #expect(dependency.platforms.contains("linux") && dependency.traits.isEmpty)
  }
}
