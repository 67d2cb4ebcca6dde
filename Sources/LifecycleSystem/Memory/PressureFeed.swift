#if os(Linux)
  import LifecycleSources
  import LifecycleSupport
  import ReactiveLifecycle

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The parts that the watches of all levels share: the files of the place in use, and the limit
  /// of the rate.
  final class PressureFeed: Sendable {
    private struct State {
      var machine = PressureMachine()
      var files: PressureFiles?
      /// The number of the place in use.
      var place = 0
      /// The places that remain to be tried.
      var places: ArraySlice<PressurePlace>
    }

    private let state: Locked<State>
    private let input: LifecycleFeed

    init(
      _ places: [PressurePlace],
      _ input: LifecycleFeed
    ) throws(ProcessSignalSource.StartError) {
      self.input = input
      state = Locked(State(places: places[...]))
      try useNextPlace()
    }

    /// A Boolean value that indicates whether there is a place.
    var isOpen: Bool { state.withLock { $0.files != nil } }

    /// The descriptor of a level, with the events to wait for, and the number of its place; no
    /// descriptor if there is none.
    func interest(of level: MemoryPressureLevel) -> (ProcessWatchInterest, place: Int) {
      state.withLock { state in
        guard let files = state.files, let file = files.files.first(where: { $0.level == level })
        else { return (ProcessWatchInterest(), state.place) }
        let interest = ProcessWatchInterest(descriptor: file.descriptor, events: files.events)
        return (interest, state.place)
      }
    }

    /// Handles the events of a level's descriptor.
    ///
    /// All levels of a place fail together: what the others report then concerns a place that is no
    /// longer in use.
    func handle(_ level: MemoryPressureLevel, _ events: Int16, from place: Int) {
      let (interest, current) = interest(of: level)
      guard place == current else { return }
      let descriptor = interest.descriptor
      let isAtEnd =
        events & Int16(POLLIN) != 0 && descriptor.map { !PressureFiles.drain($0) } == true
      // POLLERR: the control group was removed.
      if isAtEnd || events & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 {
        // What was closed before leaves descriptors for the next place.
        try? useNextPlace()
        return
      }
      let warning = state.withLock { $0.machine.handle(level, at: .now) }
      guard let warning else { return }
      input.post(
        .didReceiveMemoryWarning,
        [LifecycleEvent.memoryPressureKey: warning.rawValue]
      )
    }

    func close() {
      state.withLock { state in
        let files = state.files
        state.files = nil
        return files
      }?.close()
    }

    /// Closes the files of a place that has failed, and opens those of the next one that works.
    private func useNextPlace() throws(ProcessSignalSource.StartError) {
      close()
      while let place = state.withLock({ $0.places.popFirst() }) {
        let files = try availableResult { () throws(SystemFailure) in try PressureFiles(place) }
        guard let files else { continue }
        state.withLock { state in
          state.files = files
          state.place += 1
        }
        return
      }
    }
  }
#endif
