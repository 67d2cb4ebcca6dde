public import ReactiveLifecycle

// In an asynchronous context, Swift chooses these methods.

extension LifecycleScript where Bus == LifecycleBus {
  /// Performs the steps, one after another, and after each lets the tasks on the main actor run
  /// that it made ready.
  ///
  /// ```swift
  /// await lifecycle.perform(.launch, .becomeActive)
  /// #expect(feed.articles.count == 1)  // appended by a Task { … }
  /// ```
  ///
  /// When the method continues, a task on the main actor that the step started or resumed has run
  /// until it suspended again; so has a task that such a task made ready, in a chain of up to 100.
  /// That includes tasks that wait for elements of the bus or of a recorder, and for continuations
  /// that the step resumed. Nothing sleeps.
  ///
  /// It is not guaranteed of a task that has to leave the main actor first: for another actor, a
  /// detached task, a response from outside, or a sleep. Swift resumes a sleeping task elsewhere,
  /// before it returns to the main actor: use ``ManualClock/waitForSleepers(_:)``.
  ///
  /// - Parameter steps: The steps to perform. An impossible one is reported at the caller's line
  ///   and ends the script.
  /// - Parameter fileID: The file ID of the call site.
  /// - Parameter filePath: The path of the call site's file.
  /// - Parameter line: The line of the call site.
  /// - Parameter column: The column of the call site.
  @MainActor
  public func perform(
    _ steps: LifecycleStep...,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await performSettling(steps, site)
  }

  /// Performs the steps, one after another, and lets tasks on the main actor run after each, as
  /// ``perform(_:fileID:filePath:line:column:)-48tdj`` does.
  @MainActor
  public func perform(
    _ steps: [LifecycleStep],
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await performSettling(steps, site)
  }

  /// Replays the recordings to their end, or until a time, and after each record lets the tasks on
  /// the main actor run that it made ready.
  ///
  /// - Parameter time: The time since the start of the first recording; nil for the end of the last
  ///   one.
  /// - Parameter fileID: The file ID of the call site.
  /// - Parameter filePath: The path of the call site's file.
  /// - Parameter line: The line of the call site.
  /// - Parameter column: The column of the call site.
  @MainActor
  public func replay(
    until time: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    while true {
      let callCount = clock.core.callCount
      let isCause = replaying?.next?.isCause ?? false
      guard replayNext(until: time, site) else { break }
      // The other records are effects, after whose cause the tasks have settled.
      if isCause || clock.core.callCount != callCount { await settle() }
    }
    await settle()
  }

  @MainActor
  private func performSettling(_ steps: [LifecycleStep], _ site: CallSite) async {
    for step in steps {
      guard perform([step], site) else { return }
      await settle()
    }
  }

  /// Lets the tasks run that are ready on the main actor, and those that they make ready.
  ///
  /// The main actor runs jobs in the order in which they were queued. A task that yields comes back
  /// behind all that were ready, so each round runs at least one more link of a chain.
  @MainActor
  private func settle() async {
    for _ in 0..<100 { await Task.yield() }
  }
}
