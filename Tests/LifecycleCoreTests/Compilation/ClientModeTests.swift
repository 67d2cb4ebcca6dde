import CustomDump
import TestSupport
import Testing

/// What a client compiles in the modes of new and of old projects.
@Suite(
  "Language modes of clients",
  .enabled(if: Compiler() != nil, "no swiftc on the search path"),
  .startsProcesses
)
struct ClientModeTests {
  struct Mode: CustomTestStringConvertible, Sendable {
    let name: String
    let options: [String]

    var testDescription: String { name }

    init(
      _ name: String,
      swift version: Int,
      _ options: [String] = [],
      features: [String] = []
    ) {
      self.name = name
      // Up to the passes that check what is sent to other threads.
      self.options =
        ["-emit-sil", "-o", "/dev/null", "-parse-as-library", "-swift-version", "\(version)"]
        + options + features.flatMap { ["-enable-upcoming-feature", $0] }
    }
  }

  private static let approachable = ["InferIsolatedConformances", "NonisolatedNonsendingByDefault"]
  /// The others of that list, which the Swift 6 language mode has.
  private static let approachableInSwift5 = [
    "DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability",
    "InferSendableFromCaptures",
  ]
  private static let onMainActor = ["-default-isolation", "MainActor"]

  private static let swift5 = Mode("Swift 5", swift: 5)
  private static let swift6 = Mode(
    "Swift 6, strict imports",
    swift: 6,
    features: ["MemberImportVisibility", "ExistentialAny", "InternalImportsByDefault"]
  )
  private static let swift6OnMainActor = Mode(
    "Swift 6, on the main actor, approachable concurrency",
    swift: 6,
    onMainActor,
    features: approachable + ["MemberImportVisibility"]
  )
  static let modes = [
    swift5,
    Mode("Swift 5, complete checking", swift: 5, ["-strict-concurrency=complete"]),
    Mode(
      "a new Xcode project: Swift 5, on the main actor, approachable concurrency",
      swift: 5,
      onMainActor,
      features: approachable + approachableInSwift5 + ["MemberImportVisibility"]
    ),
    swift6OnMainActor,
    swift6,
    Mode("Swift 6, approachable concurrency", swift: 6, features: approachable),
    Mode("Swift 6, strict memory safety", swift: 6, ["-strict-memory-safety"]),
  ]

  private func diagnostics(in code: String, _ mode: Mode) throws -> [String] {
    try #require(Compiler())
      .diagnostics(in: code, importing: Self.modules, options: mode.options)
  }

  @Test("A client compiles without a warning", arguments: modes)
  func client(_ mode: Mode) throws {
    expectNoDifference(try diagnostics(in: Self.client, mode), [])
  }

  // MARK: Messages, and the remedies of the article Gotchas

  @Test("Declarations of a main-actor module must be nonisolated for other isolations")
  func ownDeclarations() throws {
    func code(_ prefix: String) -> String {
      """
      extension LifecycleEvent.Kind { \(prefix) static let saved: Self = "saved" }
      \(prefix) enum ObserverID { case save }
      nonisolated func save(_ bus: NonisolatedLifecycleBus, _ scope: LifecycleScope) {
        bus.send(.saved)
        bus.addObserver(in: scope, id: ObserverID.save) { event in print(event) }
      }
      """
    }
    let errors = try diagnostics(in: code(""), Self.swift6OnMainActor)
    expectNoDifference(
      errors.map {
        $0.firstMatch(of: /main actor-isolated .* nonisolated context/).map { "\($0.0)" }
      },
      [
        """
        main actor-isolated static property 'saved' can not be referenced from a nonisolated context
        """,
        """
        main actor-isolated conformance of 'ObserverID' to 'Hashable' cannot be used in nonisolated \
        context
        """,
      ]
    )
    expectNoDifference(try diagnostics(in: code("nonisolated"), Self.swift6OnMainActor), [])
  }

  @Test("Only remedies let an owner off the main actor compile", arguments: [swift5, swift6])
  func ownerOffMainActor(_ mode: Mode) throws {
    func code(_ isolation: String, _ call: (_ form: String) -> String) -> String {
      """
      \(isolation) final class Model {
        private let scope = LifecycleScope("model")
        private var count = 0
        func appear(_ bus: LifecycleBus) {
          \(call("onReturn"))
          \(call("addObserver"))
        }
      }
      """
    }
    let owned = { (form: String) in "bus.\(form)(self) { model, _ in model.count += 1 }" }
    let scoped = { (form: String) in "bus.\(form)(in: scope) { [weak self] _ in self?.count += 1 }"
    }
    expectNoDifference(
      try diagnostics(in: code("", owned), mode).map {
        $0.firstMatch(of: /call to main actor-isolated instance method '\w+\(_:/).map { "\($0.0)" }
      },
      [
        "call to main actor-isolated instance method 'onReturn(_:",
        "call to main actor-isolated instance method 'addObserver(_:",
      ]
    )
    expectNoDifference(try diagnostics(in: code("@MainActor", owned), mode), [])
    let errors = try diagnostics(in: code("", scoped), mode)
    guard mode.name == Self.swift6.name else { return expectNoDifference(errors, []) }
    #expect(errors.count == 2)
    #expect(errors.allSatisfy { $0.contains("sending 'self' risks causing data races") })
  }

  // MARK: The client

  private static let modules = [
    "Foundation", "LifecycleBackgroundWork", "LifecycleCombine", "LifecycleCountdowns",
    "LifecycleFlightRecording", "LifecycleJournaling", "LifecycleProcess", "LifecycleTesting",
    "ReactiveLifecycle",
  ]

  private static let client = #"""
    extension LifecycleEvent.Kind {
      nonisolated static let draftDidSave: Self = "draftDidSave"
    }

    extension LifecycleParticipant {
      nonisolated static let editor: Self = "editor"
    }

    nonisolated enum ObserverID { case save }

    struct Draft: Codable {
      var text = ""
    }

    @MainActor
    final class EditorModel {
      private(set) var text = ""
      private(set) var isShown = false
      private(set) var remaining = Duration.zero
      private let bus: LifecycleBus
      private let countdown: Countdown
      private let tasks: BackgroundTaskCoordinator
      private let journal: LifecycleJournal
      private let scope = LifecycleScope("editor")

      init(
        bus: LifecycleBus = .application,
        tasks: BackgroundTaskCoordinator = .application,
        journal: LifecycleJournal
      ) {
        self.bus = bus
        self.tasks = tasks
        self.journal = journal
        countdown = Countdown(.seconds(300), of: bus)
        countdown.states.sink { [weak self] in self?.remaining = $0.remaining }.store(in: scope)
        bus.phases.map(\.isForeground).removeDuplicates()
          .sink { [weak self] in self?.isShown = $0 }.store(in: scope)
        bus.onOpen(in: scope) { [weak self] opening in
          self?.text += "\(opening.timeAway)"
        }
        bus.onReturn(self) { model, stay in model.text += "\(stay.timeAway)" }
        bus.addObserver(self, for: [.draftDidSave]) { model, _ in model.text += "saved" }
        bus.addObserver(for: .didEnterBackground, in: scope, id: ObserverID.save) { [weak self] _ in
          self?.save()
        }
        bus.onReturn(in: scope, capturing: { [weak self] in self?.text }) { [weak self] _, text in
          self?.text = (text ?? nil) ?? ""
        }
        scope.task(for: bus.events) { [weak self] events in
          for await event in events { self?.text += "\(event.sequenceNumber)" }
        }
        scope.task { [weak self] in try await self?.upload() }
      }

      func connect(_ center: NotificationCenter, _ table: NotificationTable) throws {
        try bus.connect(
          .notificationCenter(center, table: table) { [isShown] in
            isShown ? [Notification(name: Notification.Name("Shown"))] : []
          }
        ).store(in: scope)
        try bus.connect(.processSignals(onOverrun: { print($0) }), in: scope)
        try bus.connect(.processSignals, in: scope)
      }

      func save() {
        try? journal.set(Draft(text: text), forKey: "draft")
        bus.send(.draftDidSave)
      }

      func upload() async throws {
        try await bus.waitUntil(.background)
        try await withBackgroundTask(named: "upload", tasks: tasks) {
          try await Task.sleep(for: .seconds(1))
        }
        try await bus.repeatWhile(.active) { self.text += "." }
      }

      func count(_ count: inout Int, _ step: () -> Int) async {
        await withBackgroundTask(named: "count") { count += step() }
      }

      func saveOnLeaving() {
        bus.addObserver(for: .didEnterBackground, in: scope) { [tasks] _ in
          startBackgroundTask(named: "save", tasks: tasks) { self.save() }
        }
      }
    }

    /// Each call that takes a bus takes the application's without its type.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @MainActor
    func useApplication(
      _ values: PassthroughSubject<Int, Never>,
      _ scope: LifecycleScope,
      _ host: any BackgroundTaskHost,
      _ bus: LifecycleBus
    ) throws {
      let countdown = Countdown(.seconds(5), of: .application)
      _ = Countdown(restoring: countdown.savedState, of: .application)
      values.whilePhase(.foreground, of: .application)
        .gate(.active, of: .application, buffering: .latest)
        .dutyCycle(DutyCycle(burst: 10, rest: .seconds(20)), of: .application, tasks: .application)
        .sink { print($0) }.store(in: scope)
      try LifecycleBus(parent: .application).connect(.bus(.application), as: .ceiling, in: scope)
      scope.end(at: .willTerminate, of: .application)
      scope.end(when: .background, of: .application)
      _ = ObservableLifecycle(of: .application)
      _ = try LifecycleJournal(at: "", of: .application)
      _ = FlightRecorder(of: .application)
      _ = DeferredWorkQueue(of: .application, tasks: .application)
      _ = BackgroundFetchCoordinator(of: .application)
      _ = BackgroundFetchScheduler(of: .application)
      _ = BackgroundTaskCoordinator(host: host, of: .application)
      _ = LifecycleRecorder(values, of: .application)
      _ = LifecycleRecorder(bus.phases.asyncSequence(), of: .application)
      expectNoLiveSubscriptions(of: .application)
      var model: LifecycleScope? = scope
      expectReleased(&model, of: .application)
      LifecycleBus.withApplication(.application) {}
    }

    /// Off the main actor.
    actor Worker {
      private var count = 0
      private let scope = LifecycleScope("worker")

      func start(_ bus: NonisolatedLifecycleBus) {
        bus.addObserver(for: [.draftDidSave], in: scope, id: ObserverID.save) { [weak self] _ in
          Task { await self?.add() }
        }
        bus.onOpen(in: scope, id: ObserverID.save) { [weak self] _ in Task { await self?.add() } }
        bus.send(.draftDidSave)
      }

      private func add() { count += 1 }
    }

    final class ServerSource: LifecycleSource {
      let name: LifecycleSourceName = "server"

      func start(_ feed: LifecycleFeed) -> @Sendable () -> Void {
        feed.send(.draftDidSave)
        return {}
      }
    }

    nonisolated func observe(_ bus: LifecycleBus, _ fetches: BackgroundFetchCoordinator) throws {
      let scope = LifecycleScope("fetches")
      let source = try bus.connect(ServerSource(), as: .participant(.editor))
      bus.addObserver(for: [.draftDidSave], in: scope) { event in print(event.kind) }
      fetches.addHandler(named: "drafts", in: scope) { .noData }
      scope.end()
      source.cancel()
    }

    @MainActor
    func test(_ journal: LifecycleJournal) {
      let lifecycle = ScriptedLifecycle()
      let model = EditorModel(bus: lifecycle.bus, journal: journal)
      lifecycle.perform(.launch, .becomeActive)
      lifecycle.expect(model, after: .background(for: .seconds(9))) { $0.remaining = .seconds(291) }
      expectNoLiveSubscriptions(of: lifecycle)
    }
    """#
}
