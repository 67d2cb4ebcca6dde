import CustomDump
import IssueReporting
import ReactiveLifecycle

extension LifecycleScript {
  /// Lets the steps happen, and expects that they change a model in a certain way: of the properties that
  /// the closure names, nothing else.
  ///
  /// ```swift
  /// lifecycle.expect(viewModel, after: .background(for: .seconds(90))) {
  ///   $0.remainingSeconds -= 90
  /// }
  /// ```
  ///
  /// A property that has another value than the one that is expected fails the test at the caller's line.
  /// So does an expectation by which nothing changes: for that, ``perform(_:fileID:filePath:line:column:)``
  /// the steps, and compare. If a step is impossible that alone is reported.
  ///
  /// - Parameters:
  ///   - model: What is looked at. It is not written to.
  ///   - steps: What happens.
  ///   - changes: Sets the properties to what they are to become; called before the steps, with the
  ///     properties as they are then. What it throws is reported; the steps happen anyway.
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

  /// Lets the steps happen, and expects that they change a model in a certain way, as
  /// ``expect(_:after:changes:fileID:filePath:line:column:)`` does.
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

  /// Lets the steps happen, and expects that they change a value in a certain way, and in no other: the
  /// whole value is compared, as custom-dump's `expectDifference` does.
  ///
  /// ```swift
  /// lifecycle.expect(viewModel.state, after: .enterBackground) {
  ///   $0.isShown = false
  /// }
  /// ```
  ///
  /// If a step is impossible that alone is reported.
  ///
  /// - Parameters:
  ///   - value: Evaluated before and after the steps.
  ///   - steps: What happens.
  ///   - changes: Makes of the value what it is to become; called after the steps, with the value from
  ///     before them. What it throws is reported.
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

  /// Lets the steps happen, and expects that they change a value in a certain way, and in no other, as
  /// ``expect(_:after:changes:fileID:filePath:line:column:)`` does.
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
