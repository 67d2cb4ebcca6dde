public import LifecycleCombine
import ReactiveLifecycle

extension LifecycleScript {
  /// Records what a publisher sends from now on, in the transcript too. Recording ends when the recorder
  /// is cancelled, or the process is killed; until then the lifecycle keeps the recorder.
  ///
  /// - Parameters:
  ///   - publisher: What is recorded.
  ///   - name: What the transcript calls it.
  ///   - demand: How many values are requested at once.
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

  /// Records the elements of a sequence, in the transcript too, as
  /// ``LifecycleRecorder/init(_:of:style:isolation:fileID:filePath:line:column:)`` does. Recording ends when
  /// the recorder is cancelled, or the process is killed; until then the lifecycle keeps the recorder.
  ///
  /// - Parameters:
  ///   - sequence: What is recorded.
  ///   - name: What the transcript calls it.
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

  /// Records what a closure gives to ``LifecycleRecorder/record(_:)``, in the transcript too.
  ///
  /// ```swift
  /// let updates = lifecycle.recorder(of: Int.self, as: "shown")
  /// viewModel.onUpdate = { updates.record($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - element: What is recorded.
  ///   - name: What the transcript calls it.
  /// - Returns: The recorder. It goes on when the process is killed.
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
