#if canImport(SwiftUI)
  public import LifecycleCore
  public import SwiftUI
#else
  import LifecycleCore
#endif

#if canImport(SwiftUI)
  extension View {
    /// Performs an action when the user comes: at each opening, the current one included.
    ///
    /// ```swift
    /// List(news.headlines, id: \.self) { Text($0) }
    ///   .onOpen { await news.load() }
    /// ```
    ///
    /// The action runs while the view is there, on the main actor, at the openings of the
    /// environment's ``SwiftUICore/EnvironmentValues/lifecycleBus``:
    ///
    /// - A view that appears while the app is open has the current opening at once. It has each
    ///   opening once, however often it disappears and appears again. The newest opening that came
    ///   while the view was gone is performed when it appears again.
    /// - A new opening cancels an action that still runs, and waits for its clean-up: there are
    ///   never two at once.
    /// - The action is cancelled when the view disappears, and is then performed again when the
    ///   view appears again.
    ///
    /// - Parameters:
    ///   - duration: The least time away. The first opening of the app and, unless `initial` is
    ///     false, the first of the view are performed whatever their time is.
    ///   - moment: The moment of an opening at which the action starts.
    ///   - initial: Whether the opening under way when the view first appears is performed.
    ///   - action: The work.
    public func onOpen(
      after duration: Duration = .zero,
      at moment: LifecycleOpening.Moment = .visible,
      initial: Bool = true,
      perform action: @escaping @MainActor () async -> Void
    ) -> some View {
      onOpen(after: duration, at: moment, initial: initial) { _ in await action() }
    }

    /// Performs an action with each opening, the current one included.
    ///
    /// ```swift
    /// Text(greeting)
    ///   .onOpen { opening in greeting = opening.isFirst ? "Hello" : "Welcome back" }
    /// ```
    ///
    /// Like the modifier whose action takes no opening.
    ///
    /// - Parameters:
    ///   - duration: The least time away. The first opening of the app and, unless `initial` is
    ///     false, the first of the view are performed whatever their time is.
    ///   - moment: The moment of an opening at which the action starts.
    ///   - initial: Whether the opening under way when the view first appears is performed.
    ///   - action: Called with the opening.
    public func onOpen(
      after duration: Duration = .zero,
      at moment: LifecycleOpening.Moment = .visible,
      initial: Bool = true,
      perform action: @escaping @MainActor (LifecycleOpening) async -> Void
    ) -> some View {
      let filter = ViewOpenings.Filter(after: duration, at: moment, initial: initial)
      return modifier(OpeningAction(filter, action))
    }

    /// Runs a task only while the phase meets a condition, and the view is there.
    ///
    /// ```swift
    /// Text(stock.price)
    ///   .task(while: .foreground) { await stock.followPrices() }
    /// ```
    ///
    /// The task starts when the view appears, or when the phase of the environment's
    /// ``SwiftUICore/EnvironmentValues/lifecycleBus`` begins to meet the condition. It is cancelled
    /// when the view disappears, or the phase no longer meets the condition; the next one waits for
    /// its clean-up. See `repeatWhile` of the bus. As in SwiftUI's `task`, the action keeps what it
    /// has captured when the view appeared: give a view that follows a value the value's `id(_:)`.
    ///
    /// - Parameters:
    ///   - condition: The phases to run in. A condition that every phase meets is reported at the
    ///     caller's line.
    ///   - priority: The priority of the task.
    ///   - action: The work, which runs on the main actor.
    public func task(
      while condition: LifecyclePhase.Condition,
      priority: TaskPriority = .userInitiated,
      fileID: StaticString = #fileID,
      filePath: StaticString = #filePath,
      line: UInt = #line,
      column: UInt = #column,
      _ action: @escaping @MainActor () async -> Void
    ) -> some View {
      let site = CallSite(fileID, filePath, line, column)
      return modifier(
        PhaseTask(condition: condition, priority: priority, site: site, action: action)
      )
    }
  }

  private struct OpeningAction: ViewModifier {
    let filter: ViewOpenings.Filter
    let action: @MainActor (LifecycleOpening) async -> Void
    @State private var openings = ViewOpenings()
    @Environment(\.lifecycleBus) private var bus

    // With a private state, the type has no memberwise initializer in Xcode 27 (Apple's TN3211).
    init(
      _ filter: ViewOpenings.Filter,
      _ action: @escaping @MainActor (LifecycleOpening) async -> Void
    ) {
      self.filter = filter
      self.action = action
    }

    func body(content: Content) -> some View {
      // A later opening is performed with what the view shows then.
      openings.action = action
      return content.task(id: [ObjectIdentifier(bus), filter] as [AnyHashable]) {
        @MainActor [openings, bus, filter] in
        await openings.perform(of: bus, filter)
      }
    }
  }

  private struct PhaseTask: ViewModifier {
    let condition: LifecyclePhase.Condition
    let priority: TaskPriority
    let site: CallSite
    let action: @MainActor () async -> Void
    @Environment(\.lifecycleBus) private var bus

    func body(content: Content) -> some View {
      let id = [ObjectIdentifier(bus), condition] as [AnyHashable]
      return content.task(id: id, priority: priority) { @MainActor [bus, condition, site, action] in
        // The action throws nothing. The end of the task does.
        try? await bus.repeatWhile(
          condition,
          fileID: site.fileID,
          filePath: site.filePath,
          line: site.line,
          column: site.column,
          action
        )
      }
    }
  }
#endif

#if canImport(SwiftUI) || DEBUG
  // On Linux for the tests alone.

  /// The openings that a view has had, for as long as the view has its state.
  @MainActor
  final class ViewOpenings {
    struct Filter: Hashable {
      var after = Duration.zero
      var at = LifecycleOpening.Moment.visible
      var initial = true
    }

    /// Called with each opening.
    var action: @MainActor (LifecycleOpening) async -> Void = { _ in }

    private weak var bus: LifecycleBus?
    private var filter = Filter()
    /// Holds the observer, while the view is gone, too.
    private var scope: LifecycleScope?
    private var lastNumber = 0
    /// The newest opening, until its action has returned without having been cancelled.
    private var due: LifecycleOpening?
    private var running: Task<Bool, Never>?
    private var changes: AsyncStream<Void>.Continuation?

    /// Performs the action at each opening of the bus until the calling task is cancelled, which is
    /// that of an appearance of the view.
    func perform(of bus: LifecycleBus, _ filter: Filter) async {
      observe(bus, filter)
      let stream = AsyncStream<Void>(bufferingPolicy: .bufferingNewest(1)) { changes = $0 }
      changes?.yield()
      for await _ in stream {
        guard let opening = due else { continue }
        if await run(opening), due == opening { due = nil }
      }
    }

    private func observe(_ bus: LifecycleBus, _ filter: Filter) {
      guard bus !== self.bus || filter != self.filter else { return }
      if bus !== self.bus { (lastNumber, due) = (0, nil) }
      let scope = LifecycleScope("onOpen")
      (self.bus, self.filter, self.scope) = (bus, filter, scope)
      bus.onOpen(
        after: filter.after,
        at: filter.at,
        in: scope,
        // A changed filter is for the next opening.
        initial: filter.initial && lastNumber == 0
      ) { [weak self] in
        self?.note($0)
      }
    }

    private func note(_ opening: LifecycleOpening) {
      guard opening.number > lastNumber else { return }
      (lastNumber, due) = (opening.number, opening)
      running?.cancel()
      changes?.yield()
    }

    /// - Returns: True if the action has not been cancelled.
    private func run(_ opening: LifecycleOpening) async -> Bool {
      let task = Task { [action, earlier = running] in
        _ = await earlier?.value
        guard !Task.isCancelled else { return false }
        await action(opening)
        return !Task.isCancelled
      }
      running = task
      return await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }
#endif
