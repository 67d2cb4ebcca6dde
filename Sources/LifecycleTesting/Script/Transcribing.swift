public import LifecycleCombine
import LifecycleCore
package import LifecycleFlightRecording
import LifecycleSupport
public import Observation

extension ScriptedLifecycle {
  /// Writes the values that a publisher sends from now on into the transcript.
  ///
  /// Recording ends when the recorder is cancelled or the process is killed; until then the
  /// lifecycle keeps the recorder.
  ///
  /// - Parameters:
  ///   - publisher: The publisher.
  ///   - name: The name of the publisher in the transcript.
  /// - Returns: The recorder, for its elements.
  @discardableResult
  public func transcribe<P: Publisher>(
    _ publisher: P,
    as name: String,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> LifecycleRecorder<P.Output, P.Failure> {
    let site = CallSite(fileID, filePath, line, column)
    return addRecording(of: LifecycleRecorder(publisher, .unlimited, makeCore(name, site)))
  }

  /// Writes the elements of a sequence into the transcript, recorded as by
  /// ``LifecycleRecorder/init(_:of:isolation:fileID:filePath:line:column:)``.
  ///
  /// Recording ends when the recorder is cancelled or the process is killed; until then the
  /// lifecycle keeps the recorder. It needs iOS 18, as that initializer.
  ///
  /// - Parameters:
  ///   - sequence: The sequence.
  ///   - name: The name of the sequence in the transcript.
  ///   - isolation: The actor of the caller.
  /// - Returns: The recorder, for its elements.
  @discardableResult
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public func transcribe<S: AsyncSequence>(
    _ sequence: sending S,
    as name: String,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> LifecycleRecorder<S.Element, S.Failure> {
    let site = CallSite(fileID, filePath, line, column)
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
  /// - Returns: The recorder. It continues to record when the process is killed.
  public func recorder<Element>(
    of element: Element.Type,
    as name: String,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> LifecycleRecorder<Element, Never> {
    let site = CallSite(fileID, filePath, line, column)
    return LifecycleRecorder(makeCore(name, site))
  }
}

extension ScriptedLifecycle {
  /// Writes the value of a property of an observable model into the transcript, and each of its
  /// changes from now on.
  ///
  /// ```swift
  /// lifecycle.transcribe(viewModel, \.remainingSeconds, as: "remaining")
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
  /// right after it. Observation needs iOS 17.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - property: The property.
  ///   - name: The name of the property in the transcript.
  /// - Returns: The recorder, for its elements.
  @discardableResult
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  public func transcribe<Model: AnyObject & Observable, Value: Equatable>(
    _ model: Model,
    _ property: KeyPath<Model, Value>,
    as name: String,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> LifecycleRecorder<Value, Never> {
    let site = CallSite(fileID, filePath, line, column)
    let core: RecorderCore<Value, Never> = makeCore(name, site)
    // It lives as long as the model observes itself.
    _ = PropertyTracker(model, property, core, context, log)
    return addRecording(of: LifecycleRecorder(core))
  }
}

extension ScriptedLifecycle: LifecycleTranscriptConvertible {
  /// The steps, the events that the bus delivered or suppressed, and the entries of the recorders
  /// of this lifecycle.
  public var transcript: LifecycleTranscript {
    failures.flush()
    return log.transcript
  }

  /// Returns the lines that were added to the ``transcript`` since the last call, so that each part
  /// of a test can compare its own effects.
  ///
  /// ```swift
  /// lifecycle.perform(.launch, .becomeActive)
  /// lifecycle.takeTranscript()
  /// countdown.start()
  /// lifecycle.perform(.advance(by: .seconds(1)))
  /// expectLifecycle(
  ///   lifecycle.takeTranscript(),
  ///   matches: """
  ///       [0 s active] countdown: running, 60 s
  ///     advance(by: 1 s)
  ///       [1 s active] countdown: running, 59 s
  ///     """
  /// )
  /// ```
  @discardableResult
  public func takeTranscript() -> LifecycleTranscript {
    failures.flush()
    return log.take()
  }
}

/// What happened in a script: its transcript, and the recordings of its processes.
package final class ScriptAccount: Sendable {
  let log = TranscriptLog()
  private let readings = Locked<[@Sendable () -> FlightRecording]>([])

  package var transcript: LifecycleTranscript { log.transcript }

  /// The recordings of the processes that were launched, in order.
  package var recordings: [FlightRecording] { readings.withLock { $0 }.map { $0() } }

  /// Adds the recorder of a process that was launched.
  func add(_ recorder: FlightRecorder) {
    let reading = recorder.reading
    let isFirst = readings.withLock { readings in
      readings.append(reading)
      return readings.count == 1
    }
    if isFirst { ScriptAccounts.current?.add(self) }
  }
}

/// The accounts of the scripts that a test launches, also of those that it has released.
package final class ScriptAccounts: Sendable {
  /// The accounts of the running test; nil if nothing will ask for them.
  @TaskLocal package static var current: ScriptAccounts?

  /// A test that creates one script after another fails in one of the last, as a rule.
  private static let limit = 10

  private struct State {
    /// Kept whatever the number of scripts.
    var application: ScriptAccount?
    var launched: [ScriptAccount] = []
  }

  private let state = Locked(State())

  package init() {}

  /// The account of the application, if it was launched, and those of the latest 10 other scripts.
  package var all: [ScriptAccount] { state.withLock { $0.launched } }

  /// - Parameter application: The account of the test's application.
  package func setApplication(_ application: ScriptAccount) {
    state.withLock { $0.application = application }
  }

  func add(_ account: ScriptAccount) {
    state.discard { state in
      guard account !== state.application else {
        state.launched.insert(account, at: 0)
        return nil as ScriptAccount?
      }
      state.launched.append(account)
      let first = state.launched.first === state.application ? 1 : 0
      let isFull = state.launched.count - first > Self.limit
      return isFull ? state.launched.remove(at: first) : nil
    }
  }
}
