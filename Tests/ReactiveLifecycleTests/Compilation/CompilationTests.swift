import CustomDump
import TestSupport
import Testing

/// What the compiler, not the run time, must catch, and what must compile without ado.
@Suite(
  "Compilation",
  .enabled(if: Compiler() != nil, "no swiftc on the search path"),
  .serialized,
  .startsProcesses
)
struct CompilationTests {
  /// A piece of code, and the error that it must have; nil if it must compile.
  struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    var imports = ["LifecycleCombine", "ReactiveLifecycle"]
    let error: String?
    let code: String
    var testDescription: String { name }
  }

  @Test(
    "The compiler accepts and refuses",
    arguments: accepted + waiting + imports + missing + refused + cores
  )
  func compilerAcceptsAndRefuses(_ sample: Sample) throws {
    let errors = try #require(Compiler()).errors(in: sample.code, importing: sample.imports)
    guard let expected = sample.error else {
      expectNoDifference(errors, [], "must compile")
      return
    }
    expectNoDifference(errors.count, 1, "one mistake, one error: \(errors)")
    #expect(errors.contains { $0.contains(expected) }, "\(errors)")
  }

  private static let accepted = [
    Sample(
      name: "View-model code on the main actor, with no annotation and no hop",
      error: nil,
      code: """
        @MainActor final class ViewModel {
          var count = 0
          let scope = LifecycleScope("view model")
          var token: LifecycleSubscription?

          func appear(_ bus: LifecycleBus) {
            bus.addObserver(for: [.didEnterBackground], in: scope, id: "save") { event in
              self.count += event.sequenceNumber
            }
            bus.onReturn(in: scope) { stay in self.count += Int(stay.duration / .seconds(1)) }
            bus.onReturn(in: scope, capturing: { self.count }) { _, old in
              self.count = old ?? 0
            }
            bus.onReturn(self) { model, stay in model.count += 1 }
            bus.addObserver(self) { model, event in model.count += 1 }
            token = bus.addObserver { [weak self] _ in self?.count += 1 }
            bus.phases.map(\\.isForeground).sink { self.count += $0 ? 1 : 0 }.store(in: scope)
            bus.send(.didBecomeActive)
          }
        }
        """
    ),
    Sample(
      name: "Server code off the main actor",
      error: nil,
      code: """
        final class Server: Sendable {
          let scope = LifecycleScope("server")
          func flush() {}

          func start(_ bus: NonisolatedLifecycleBus) -> LifecycleSubscription {
            bus.onReturn(in: scope) { _ in self.flush() }
            bus.onReturn(in: scope, capturing: { 1 }) { _, number in print(number ?? 0) }
            bus.addObserver(self, for: [.willTerminate]) { server, _ in server.flush() }
            return bus.addObserver(for: [.willTerminate]) { _ in self.flush() }
          }
        }

        actor Worker {
          func start(_ bus: NonisolatedLifecycleBus, _ app: LifecycleBus, _ server: Server) {
            let token = server.start(bus)
            app.addObserver(server) { server, _ in server.flush() }
            app.send(.didBecomeActive)
            token.cancel()
          }
        }
        """
    ),
    Sample(
      name: "Generic code observes any bus",
      error: nil,
      code: """
        final class Server: Sendable { func flush() {} }
        func observe(_ bus: some LifecycleBusProtocol, _ scope: LifecycleScope, _ server: Server)
          -> LifecycleSubscription
        {
          bus.addObserver(in: scope, id: 1) { _ in server.flush() }
          bus.onReturn(in: scope) { _ in server.flush() }
          bus.onReturn(in: scope, capturing: { 1 }) { _, number in print(number ?? 0) }
          bus.onReturn(server) { server, stay in server.flush() }
          bus.onReturn { _ in server.flush() }.store(in: scope)
          bus.addObserver(server) { server, _ in server.flush() }
          return bus.addObserver { _ in server.flush() }
        }
        @MainActor func observe(_ buses: [any LifecycleBusProtocol]) -> [LifecycleSubscription] {
          buses.map { $0.addObserver { event in print(event.kind) } }
        }
        """
    ),
    Sample(
      name: "A closure of a main-actor bus is one of the main actor, wherever it is made",
      error: nil,
      code: viewModel + """
        }
        func observe(_ bus: LifecycleBus, _ model: ViewModel, _ scope: LifecycleScope) {
          bus.addObserver(in: scope) { _ in model.count += 1 }
          bus.onReturn(in: scope) { _ in model.count += 1 }
          bus.onReturn(model) { model, _ in model.count += 1 }
          bus.addObserver(model) { model, _ in model.count += 1 }
          bus.addObserver { _ in model.count += 1 }.store(in: scope)
          let body: @Sendable (LifecycleEvent) -> Void = { print($0.kind) }
          bus.addObserver(in: scope, using: body)
        }
        """
    ),
    Sample(
      name: "A view model's tasks run on the main actor, with no annotation",
      error: nil,
      code: """
        @MainActor final class ViewModel {
          var count = 0
          let scope = LifecycleScope("view model")

          func appear(_ bus: LifecycleBus, _ other: NonisolatedLifecycleBus) {
            scope.task(for: bus.events) { [weak self] events in
              for await event in events { self?.count += event.sequenceNumber }
            }
            scope.task(for: other.phases, buffering: .bufferingNewest(1)) { [weak self] phases in
              for await phase in phases where phase == .active { self?.count += 1 }
            }
            scope.task { [weak self] in self?.count += 1 }
            scope.task(name: "wait", priority: .low) {
              do { try await bus.waitUntil(.atLeast(.active)) } catch { print(error) }
            }
            let task = scope.task { try await bus.waitUntil(.atLeast(.active)) }
            task.cancel()
            Task { self.count += 1 }.store(in: scope)
            scope.onEnd { print("ended") }
            scope.onEnd { print("never") }.cancel()
            scope.end(when: .atMost(.background), of: bus)
          }
        }
        """
    ),
    Sample(
      name: "Tasks in a class without an actor, in an actor, and in generic code",
      error: nil,
      code: """
        final class Server: Sendable {
          let scope = LifecycleScope("server")
          func start(_ bus: some LifecycleBusProtocol) {
            scope.task(for: bus.events) { [weak self] events in
              for await event in events { await self?.note(event) }
            }
            scope.task { @MainActor in print("on the main actor") }
          }
          func note(_ event: LifecycleEvent) async {}
        }
        actor Store {
          var count = 0
          let scope = LifecycleScope("store")
          func start(_ bus: some LifecycleBusProtocol) {
            scope.task(for: bus.backgroundStays) { [weak self] stays in
              for await stay in stays { await self?.note(stay) }
            }
            scope.task { self.count += 1 }
          }
          func note(_ stay: BackgroundStay) { count += 1 }
        }
        """
    ),
    Sample(
      name: "Kinds as a list, as a built-in one, and as a value that is passed on",
      error: nil,
      code: """
        extension LifecycleEvent.Kind { static let documentDidSave: Self = "documentDidSave" }
        func observe(_ bus: LifecycleBus, _ scope: LifecycleScope, _ kinds: LifecycleEvent.Kinds) {
          for kinds in [kinds, .all, .transitions, [.documentDidSave, .willTerminate], []] {
            bus.addObserver(for: kinds, in: scope) { _ in }
          }
          bus.addObserver(for: .all, in: scope) { _ in }
          bus.addObserver(for: [.documentDidSave], in: scope) { _ in }
          bus.addObserver(for: .didEnterBackground, in: scope) { _ in }
          bus.addObserver(for: ["another"], in: scope) { _ in }
          bus.addObserver(scope, for: .didEnterBackground) { _, _ in }
          bus.publisher(for: .didEnterBackground).sink { _ in }.store(in: scope)
          bus.publisher(for: [.documentDidSave, .willTerminate]).sink { _ in }.store(in: scope)
          bus.publisher(for: .transitions).sink { _ in }.store(in: scope)
          bus.events.prefix(until: .didEnterBackground, of: bus).sink { _ in }.store(in: scope)
          bus.events.prefix(until: kinds, of: bus).sink { _ in }.store(in: scope)
          scope.end(at: .didEnterBackground, of: bus)
          scope.end(at: [.documentDidSave, .willTerminate], of: bus)
        }
        """
    ),
    Sample(
      name: "Buses, scopes, tokens and connections go to any thread",
      error: nil,
      code: """
        func share(_ value: some Sendable) {}
        func shareAll(_ bus: LifecycleBus, _ other: NonisolatedLifecycleBus, _ scope: LifecycleScope,
          _ token: LifecycleSubscription, _ connection: LifecycleCancellable, _ event: LifecycleEvent
        ) {
          share(bus); share(other); share(scope); share(token); share(connection); share(event)
          share(bus.events); share(bus.suppressedInputs)
        }
        func operate(_ bus: some LifecycleBusProtocol, _ scope: LifecycleScope) {
          scope.end(at: .willTerminate, of: bus)
          bus.events.filter { $0.kind == .didBecomeActive }.sink { _ in }.store(in: scope)
        }
        """
    ),
  ]

  private static let waiting = [
    Sample(
      name: "A view model waits on the main actor, with no annotation",
      error: nil,
      code: """
        @MainActor final class ViewModel {
          var count = 0
          func run(_ bus: LifecycleBus) async throws {
            try await bus.repeatWhile(.atLeast(.active)) { self.count += 1 }
            count = try await bus.perform(when: .atMost(.background)) { self.count + 1 }
          }
        }
        """
    ),
    Sample(
      name: "Generic code waits on any bus, from any isolation",
      error: nil,
      code: """
        func wait(on bus: some LifecycleBusProtocol) async throws -> Int {
          try await bus.waitUntil(.atLeast(.active))
          try await bus.repeatWhile(.atLeast(.active)) { print("active") }
          return try await bus.perform(when: .atMost(.background)) { 1 }
        }
        @MainActor func waitOnTheMainActor(on bus: any LifecycleBusProtocol) async throws -> Int {
          try await bus.perform(when: .atMost(.background)) { 1 }
        }
        """
    ),
    Sample(
      name: "A view model's state in the closure that a nonisolated bus performs",
      error: "main actor-isolated property 'count' can not be mutated from a Sendable closure",
      code: viewModel + """
          func run(_ bus: NonisolatedLifecycleBus) async throws {
            try await bus.perform(when: .atLeast(.active)) { self.count += 1 }
          }
        }
        """
    ),
    Sample(
      name: "A view model's state in the body that a nonisolated bus repeats",
      error: "main actor-isolated property 'count' can not be mutated from a Sendable closure",
      code: viewModel + """
          func run(_ bus: NonisolatedLifecycleBus) async throws {
            try await bus.repeatWhile(.atLeast(.active)) { self.count += 1 }
          }
        }
        """
    ),
    Sample(
      name: "A view model's state in the closure that any bus performs",
      error: "main actor-isolated property 'count' can not be mutated from a Sendable closure",
      code: viewModel + """
          func run(_ bus: some LifecycleBusProtocol) async throws {
            try await bus.perform(when: .atLeast(.active)) { self.count += 1 }
          }
        }
        """
    ),
  ]

  private static let imports = [
    Sample(
      name: "Combine's types by LifecycleCombine alone",
      error: nil,
      code: """
        func observe(_ bus: LifecycleBus, demand: Subscribers.Demand) -> AnyCancellable {
          let names = PassthroughSubject<String, Never>()
          let short: AnyPublisher<String, Never> = names.filter { $0.count < 9 }.eraseToAnyPublisher()
          let token: any Cancellable = short.zip(Just(demand + 1)).sink { _ in }
          token.cancel()
          return bus.events.map(\\.kind.rawValue).removeDuplicates().subscribe(names)
        }
        """
    ),
    Sample(
      name: "Combine's operators, where sequences have some of the same name",
      error: nil,
      code: """
        func observe(_ bus: LifecycleBus, _ any: some LifecycleBusProtocol, _ scope: LifecycleScope) {
          let kinds = bus.events.filter { $0.kind.isTransition }.map(\\.kind.rawValue)
          kinds.sink { print($0.count) }.store(in: scope)
          let stays = any.events.compactMap { $0.backgroundStay }
          stays.sink { print($0.duration) }.store(in: scope)
          let first = bus.phases.first { $0 == .active }
          first.sink { print($0.isForeground) }.store(in: scope)
          let count = bus.phases.prefix(3).reduce(0) { count, _ in count + 1 }
          count.sink { print($0 + 1) }.store(in: scope)
          any.phases.dropFirst().contains(.active).sink { print(!$0) }.store(in: scope)
          any.phases.drop { $0 == .active }.prefix { $0 != .active }.max().sink { _ in }.store(in: scope)
          bus.phases.flatMap { Just($0) }.allSatisfy { $0 == .active }.sink { _ in }.store(in: scope)
        }
        @MainActor func wait(_ bus: LifecycleBus) async {
          let kinds = bus.events.filter { $0.kind.isTransition }.map { $0.kind }
          _ = kinds.sink { print($0.rawValue) }
          for await phase in bus.phases.asyncSequence() { print(phase) }
        }
        """
    ),
    Sample(
      name: "LifecycleCombine beside Combine itself",
      imports: ["LifecycleCombine", "ReactiveLifecycle"] + [systemCombine],
      error: nil,
      code: """
        func observe(_ bus: LifecycleBus) -> AnyCancellable {
          Just(1).zip(bus.phases).map(\\.1).sink { _ in }
        }
        """
    ),
    Sample(
      name: "Combine itself, without LifecycleCombine",
      imports: ["ReactiveLifecycle", systemCombine],
      error: nil,
      code: """
        func observe(_ bus: LifecycleBus, _ names: PassthroughSubject<String, Never>)
          -> [AnyCancellable]
        {
          [
            bus.phases.map(\\.isForeground).sink { _ in },
            names.whilePhase(.atLeast(.active), of: bus).sink { _ in },
          ]
        }
        """
    ),
    Sample(
      name: "Types of the program's own that Combine has, too",
      error: nil,
      code: """
        struct Record { var name = "" }
        enum Empty { case nothing }
        struct Subscription { var price = 1 }
        let total = Subscription().price + Record().name.count + [Empty.nothing].count
        """
    ),
    Sample(
      name: "ReactiveLifecycle alone, which leaves Combine's names to other modules",
      imports: ["ReactiveLifecycle"],
      error: "cannot find type 'Record' in scope",
      code: "func read(_ record: Record<Int, Never>, on bus: LifecycleBus) {}"
    ),
  ]

  /// What the article *Gotchas* quotes, beside the errors of other samples.
  private static let missing = [
    Sample(
      name: "A sink without LifecycleCombine",
      imports: ["ReactiveLifecycle"],
      error: "'sink(receiveValue:)' is not available due to missing import of defining module",
      code: """
        @MainActor func observe(_ bus: LifecycleBus, _ scope: LifecycleScope) {
          bus.phases.sink { print($0) }.store(in: scope)
        }
        """
    ),
    Sample(
      name: "A cancellable without LifecycleCombine",
      imports: ["ReactiveLifecycle"],
      error: "cannot find type 'AnyCancellable' in scope",
      code: "var cancellables: [AnyCancellable] = []"
    ),
    Sample(
      name: "The bus of the application without LifecycleSources",
      error: "type 'LifecycleBus' has no member 'application'",
      code: "let phase = LifecycleBus.application.phase"
    ),
    Sample(
      name: "A kind of the program's own without brackets",
      error: "type 'LifecycleEvent.Kinds' has no member 'documentDidSave'",
      code: """
        extension LifecycleEvent.Kind { static let documentDidSave: Self = "documentDidSave" }
        func observe(_ bus: LifecycleBus, _ scope: LifecycleScope) {
          bus.addObserver(for: .documentDidSave, in: scope) { _ in }
        }
        """
    ),
    Sample(
      name: "An asynchronous closure",
      error: "to parameter expecting synchronous function type",
      code: """
        func observe(_ bus: LifecycleBus, _ scope: LifecycleScope) {
          bus.onReturn(in: scope) { _ in await Task.yield() }
        }
        """
    ),
  ]

  private static var systemCombine: String {
    #if canImport(Combine)
      "Combine"
    #else
      "OpenCombine"
    #endif
  }

  private static let viewModel = """
    @MainActor final class ViewModel {
      var count = 0
      let scope = LifecycleScope("view model")

    """

  private static let refused = [
    Sample(
      name: "A scope's task that captures its owner unnoticed",
      error: "requires explicit use of 'self' to make capture semantics explicit",
      code: viewModel + """
          func appear() { scope.task { count += 1 } }
        }
        """
    ),
    Sample(
      name: "A publisher as a sequence",
      error: "use asyncSequence() instead: for await event in bus.events.asyncSequence()",
      code: """
        func log(_ bus: some LifecycleBusProtocol) async {
          for await event in bus.events { print(event.kind) }
        }
        """
    ),
    Sample(
      name: "A duration where a moment is meant",
      error: "type 'ContinuousInstant' has no member 'seconds'",
      code: """
        func phase(_ bus: LifecycleBus) -> LifecyclePhase? { bus.phase(at: .seconds(600)) }
        """
    ),
    Sample(
      name: "A kind that there is not",
      error: "type 'LifecycleEvent.Kinds' has no member 'didEnterBackgroun'",
      code: """
        func observe(_ bus: LifecycleBus, _ scope: LifecycleScope) {
          bus.addObserver(for: .didEnterBackgroun, in: scope) { _ in }
        }
        """
    ),
    Sample(
      name: "A mistake in the closure of an observer of one kind",
      error: "cannot find 'undefined' in scope",
      code: """
        func observe(_ bus: LifecycleBus, _ scope: LifecycleScope) {
          bus.addObserver(for: .didEnterBackground, in: scope) { event in undefined(event) }
        }
        """
    ),
    Sample(
      name: "Settling anything but phases",
      error: "requires the types 'LifecycleEvent' and 'LifecyclePhase' be equivalent",
      code: """
        func settle(_ bus: LifecycleBus) {
          _ = bus.events.settle(for: .seconds(2))
        }
        """
    ),
    Sample(
      name: "A view model's state in the closure of a nonisolated bus",
      error: "main actor-isolated property 'count' can not be mutated from a Sendable closure",
      code: viewModel + """
          func appear(_ bus: NonisolatedLifecycleBus) {
            bus.addObserver(in: scope) { event in self.count += 1 }
          }
        }
        """
    ),
    Sample(
      name: "A view model's state in the closure of any bus",
      error: "main actor-isolated property 'count' can not be mutated from a Sendable closure",
      code: viewModel + """
          func appear(_ bus: some LifecycleBusProtocol) {
            bus.addObserver(in: scope) { event in self.count += 1 }
          }
        }
        """
    ),
    Sample(
      name: "A view model as the owner of a nonisolated bus's observer",
      error: "main actor-isolated property 'count' can not be mutated from a Sendable closure",
      code: viewModel + """
          func appear(_ bus: NonisolatedLifecycleBus) {
            bus.addObserver(self) { model, event in model.count += 1 }
          }
        }
        """
    ),
    Sample(
      name: "An object that isn't Sendable in the closure of a nonisolated bus",
      error: "capture of 'cache' with non-Sendable type 'Cache' in a '@Sendable' closure",
      code: """
        final class Cache { var entries: [Int] = [] }
        func observe(_ bus: NonisolatedLifecycleBus, _ cache: Cache) -> LifecycleSubscription {
          bus.addObserver { _ in cache.entries = [] }
        }
        """
    ),
    Sample(
      name: "A capture that isn't Sendable on a nonisolated bus",
      error: "type 'Cache' does not conform to the 'Sendable' protocol",
      code: """
        final class Cache { var entries: [Int] = [] }
        func observe(_ bus: NonisolatedLifecycleBus, _ scope: LifecycleScope) {
          bus.onReturn(in: scope, capturing: { Cache() }) { _, _ in }
        }
        """
    ),
    Sample(
      name: "An owner that isn't Sendable, on a nonisolated bus",
      error: "type 'Cache' does not conform to the 'Sendable' protocol",
      code: """
        final class Cache { var entries: [Int] = [] }
        func observe(_ bus: NonisolatedLifecycleBus, _ cache: Cache) {
          bus.addObserver(cache) { _, _ in }
        }
        """
    ),
    Sample(
      name: "An owner that isn't Sendable, off the main actor",
      error: "call to main actor-isolated instance method 'addObserver(_:for:id:",
      code: """
        final class Cache { var entries: [Int] = [] }
        func observe(_ bus: LifecycleBus, _ cache: Cache) {
          bus.addObserver(cache) { cache, _ in cache.entries = [] }
        }
        """
    ),
    Sample(
      name: "An object of another isolation in the closure of a main-actor bus",
      error: "non-Sendable type 'Cache' of property 'cache' cannot exit actor-isolated context",
      code: """
        final class Cache { var entries: [Int] = [] }
        actor Worker {
          let cache = Cache()
          func observe(_ bus: LifecycleBus) -> LifecycleSubscription {
            bus.addObserver { _ in self.cache.entries = [] }
          }
        }
        """
    ),
  ]
}
