import CustomDump
import IssueReporting
import ReactiveLifecycle

extension ScriptedLifecycle {
  /// Performs the steps, and expects that they change the properties of a model as the closure
  /// states. Properties that the closure does not name are not compared.
  ///
  /// ```swift
  /// lifecycle.expect(viewModel, after: .background(for: .seconds(90))) {
  ///   $0.remainingSeconds -= 90
  /// }
  /// ```
  ///
  /// A property whose value differs from the expected one fails the test at the caller's line. So
  /// does an expectation without a change: for that case, call
  /// ``perform(_:fileID:filePath:line:column:)-kn11`` and compare. If a step is impossible, only
  /// that is reported.
  ///
  /// - Parameters:
  ///   - model: The model whose properties are compared. It is not changed.
  ///   - steps: The steps to perform.
  ///   - changes: Sets the properties to their expected values. Called before the steps, with the
  ///     properties as they are then. An error that it throws is reported; the steps are performed
  ///     anyway.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  public func expect<Model: AnyObject>(
    _ model: Model,
    after steps: LifecycleStep...,
    changes: (inout ExpectedChanges<Model>) throws -> Void,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    expect(
      model,
      after: steps,
      changes: changes,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }

  /// Performs the steps, and expects that they change the properties of a model, as
  /// ``expect(_:after:changes:fileID:filePath:line:column:)-8u5y7`` does.
  public func expect<Model: AnyObject>(
    _ model: Model,
    after steps: [LifecycleStep],
    changes: (inout ExpectedChanges<Model>) throws -> Void,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    var expected = ExpectedChanges(model)
    var areStated = true
    do {
      try changes(&expected)
    } catch {
      reportIssue(error, fileID: fileID, filePath: filePath, line: line, column: column)
      areStated = false
    }
    guard perform(steps, site), areStated, let complaint = expected.complaint else { return }
    failures.report(complaint, at: site)
  }

  /// Performs the steps, and expects that they change a value as the closure states and in no other
  /// way: the whole value is compared, as with custom-dump's `expectDifference`.
  ///
  /// ```swift
  /// lifecycle.expect(viewModel.state, after: .enterBackground) {
  ///   $0.isShown = false
  /// }
  /// ```
  ///
  /// If a step is impossible, only that is reported.
  ///
  /// - Parameters:
  ///   - value: The value to compare, evaluated before and after the steps.
  ///   - steps: The steps to perform.
  ///   - changes: Changes the value to the expected one. Called after the steps, with the value
  ///     from before the steps. An error that it throws is reported.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  @_disfavoredOverload
  public func expect<Value: Equatable>(
    _ value: @autoclosure () throws -> Value,
    after steps: LifecycleStep...,
    changes: (inout Value) throws -> Void,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    expect(
      try value(),
      after: steps,
      changes: changes,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }

  /// Performs the steps, and expects that they change a value in a certain way and no other, as
  /// ``expect(_:after:changes:fileID:filePath:line:column:)-37o0q`` does.
  @_disfavoredOverload
  public func expect<Value: Equatable>(
    _ value: @autoclosure () throws -> Value,
    after steps: [LifecycleStep],
    changes: (inout Value) throws -> Void,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    do {
      var current = try value()
      guard perform(steps, site) else { return }
      let actual = try value()
      expectDifference(
        current,
        operation: { current = actual },
        changes: changes,
        fileID: fileID,
        filePath: filePath,
        line: line,
        column: column
      )
    } catch {
      reportIssue(error, fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }
}
