public import LifecycleCombine
import ReactiveLifecycle

extension LifecycleScript {
  /// Records the values that a publisher sends from now on, also in the transcript.
  ///
  /// Recording ends when the recorder is cancelled or the process is killed; until then the
  /// lifecycle keeps the recorder.
  ///
  /// - Parameters:
  ///   - publisher: The publisher to record.
  ///   - name: The name of the publisher in the transcript.
  ///   - demand: The number of values to request on subscription.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Returns: The recorder, for its elements.
  @discardableResult
  public func record<P: Publisher>(
    _ publisher: P,
    as name: String,
    demand: Subscribers.Demand = .unlimited,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> LifecycleRecorder<P.Output, P.Failure> {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return addRecording(of: LifecycleRecorder(publisher, demand, makeCore(name, site)))
  }

  /// Records the elements of a sequence, also in the transcript, as
  /// ``LifecycleRecorder/init(_:of:style:isolation:fileID:filePath:line:column:)`` does.
  ///
  /// Recording ends when the recorder is cancelled or the process is killed; until then the
  /// lifecycle keeps the recorder.
  ///
  /// - Parameters:
  ///   - sequence: The sequence to record.
  ///   - name: The name of the sequence in the transcript.
  ///   - isolation: The actor of the caller.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Returns: The recorder, for its elements.
  @discardableResult
  public func record<S: AsyncSequence>(
    _ sequence: sending S,
    as name: String,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> LifecycleRecorder<S.Element, S.Failure> {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return addRecording(of: LifecycleRecorder(sequence, makeCore(name, site), isolation))
  }

  /// Returns a recorder for a closure that calls ``LifecycleRecorder/record(_:)``, which also
  /// records in the transcript.
  ///
  /// ```swift
  /// let updates = lifecycle.recorder(of: Int.self, as: "shown")
  /// viewModel.onUpdate = { updates.record($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - element: The type of the elements.
  ///   - name: The name of the elements in the transcript.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Returns: The recorder. It continues to record when the process is killed.
  public func recorder<Element>(
    of element: Element.Type,
    as name: String,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> LifecycleRecorder<Element, Never> {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return LifecycleRecorder(makeCore(name, site))
  }
}
