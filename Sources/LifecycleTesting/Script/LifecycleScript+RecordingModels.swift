public import Observation
import ReactiveLifecycle

extension LifecycleScript {
  /// Records the value of a property of an observable model, and each of its changes from now on,
  /// also in the transcript.
  ///
  /// ```swift
  /// lifecycle.record(viewModel, \.remainingSeconds, as: "remaining")
  /// ```
  ///
  /// A change is recorded in its place: after what caused it, and before what follows it, with the
  /// time and the phase at which it happened. Several changes within one step are recorded one by
  /// one, also a change back to an earlier value. Assigning the value that the property already has
  /// is no change. A computed property changes with the observable properties that it reads. One
  /// that it did not read before a change, it reads as soon as that change is in the transcript.
  ///
  /// The property is read where the model is changed and where the test uses the recorder or the
  /// transcript. A mutating method of the value must therefore not do anything that adds a line to
  /// the transcript.
  ///
  /// Recording ends when the recorder is cancelled or the process is killed; until then the
  /// lifecycle keeps the recorder. The model is not kept: a change is lost if the model is released
  /// right after it.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - property: The property to record.
  ///   - name: The name of the property in the transcript.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Returns: The recorder, for its elements.
  @discardableResult
  public func record<Model: AnyObject & Observable, Value: Equatable>(
    _ model: Model,
    _ property: KeyPath<Model, Value>,
    as name: String,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> LifecycleRecorder<Value, Never> {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let core: RecorderCore<Value, Never> = makeCore(name, site)
    // It lives as long as the model observes itself.
    _ = PropertyTracker(model, property, core, context, log)
    return addRecording(of: LifecycleRecorder(core))
  }
}
