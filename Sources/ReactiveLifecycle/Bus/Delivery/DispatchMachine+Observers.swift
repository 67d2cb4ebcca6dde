import DequeModule

/// The registration and the removal of rows.
extension DispatchMachine {
  /// Adds an observer.
  mutating func add(_ row: ObserverRow, catchUp: LifecycleCatchUp) -> Registration {
    guard !joinsSpecially, row.isLive else { return addSpecially(row, catchUp: catchUp) }
    return Registration(.added, sample: append(row, catchUp: catchUp))
  }

  @inline(never)
  private mutating func addSpecially(
    _ row: ObserverRow,
    catchUp: LifecycleCatchUp
  ) -> Registration {
    guard !isFinished, row.isLive else { return Registration(.rejected) }
    let sample = append(row, catchUp: catchUp)
    noteJoining(row)
    return Registration(.addedSpecially, sample: sample)
  }

  @inline(__always)
  private mutating func append(_ row: ObserverRow, catchUp: LifecycleCatchUp) -> OwnerTable.Sample {
    let sample = owners.sample()
    observers.append(row)
    if let row = row.withOwner { owners.append(row) }
    if catchUp != .nothing { rowTasks.append(.start(row, catchUp)) }
    return sample
  }

  /// Adds an observer in place of others.
  ///
  /// - Returns: The registration; nil if the candidates are no longer those that `same` was chosen
  ///   from.
  mutating func add(
    _ row: ObserverRow,
    catchUp: LifecycleCatchUp,
    replacing same: [ObserverRow],
    among candidates: [ObserverRow]
  ) -> Registration? {
    guard let key = row.identity?.key,
      self.candidates(for: key).elementsEqual(candidates, by: ===)
    else { return nil }
    var registration = add(row, catchUp: catchUp)
    guard registration.outcome != .rejected else { return registration }
    registration.replaced = same.filter { $0.endLife() }
    identities.insert(row)
    return registration
  }

  /// Adds a subscriber, which starts with the current value of its stream. If the stream has ended,
  /// the subscriber then receives its completion.
  mutating func addSubscriber(_ row: ObserverRow, catchUp: LifecycleCatchUp) -> Subscription {
    guard row.isLive else { return Subscription(isWaiting: false) }
    let needsStart = row.startsWithValue || catchUp != .nothing
    if needsStart { rowTasks.append(.start(row, catchUp)) }
    switch row.table {
    case .events where !joinsSpecially: observers.append(row)
    case .suppressions where !isReleased: suppressionObservers.append(row)
    case .events where !isFinished:
      observers.append(row)
      noteJoining(row)
      return Subscription(isWaiting: true, joinsSpecially: true, sample: owners.sample())
    default:
      rowTasks.append(.finish([row]))
      return Subscription(isWaiting: true, sample: owners.sample())
    }
    return Subscription(isWaiting: needsStart, sample: owners.sample())
  }

  /// Schedules a check of the rows' owners, where the bus delivers.
  mutating func addCheck(_ sample: OwnerTable.Sample) {
    rowTasks.append(.check(sample))
  }

  mutating func addFlush(_ row: ObserverRow) {
    rowTasks.append(.flush(row))
  }

  /// Removes a row that is no longer live. Its contents are released where the bus delivers.
  ///
  /// - Parameter isHere: Whether the caller is there.
  @inline(__always)
  mutating func remove(_ row: ObserverRow, clearingHere isHere: Bool) -> Removal {
    let garbage: ContiguousArray<ObserverRow>
    switch row.table {
    case .events: garbage = observers.noteDead(row, isShared: isDelivering)
    case .suppressions: garbage = suppressionObservers.noteDead(row, isShared: isDelivering)
    case .observedEvents: return removeObserved(row, clearingHere: isHere)
    }
    return finishRemoval(of: row, garbage, clearingHere: isHere)
  }

  /// Removes a row whose leaving may have to be reported. The caller delivers the report.
  ///
  /// - Parameter instant: The present instant; nil if the caller has not read the clock.
  @inline(never)
  mutating func removeObserved(
    _ row: ObserverRow,
    clearingHere isHere: Bool,
    at instant: LifecycleInstant? = nil
  ) -> Removal {
    if taps.hasNoted(row) {
      guard let instant else { return Removal(.repeatWithInstant, garbage: []) }
      taps.noteLeaving(row, at: instant)
    }
    var removal = finishRemoval(of: row, noteLeaving(row), clearingHere: isHere)
    if removal.step == .clear {
      rowTasks.append(.clear(row))
      removal.step = .deliver
    }
    return removal
  }

  @inline(__always)
  private mutating func finishRemoval(
    of row: ObserverRow,
    _ garbage: ContiguousArray<ObserverRow>,
    clearingHere isHere: Bool
  ) -> Removal {
    identities.remove(row)
    if let row = row.withOwner { owners.remove(row) }
    if isDelivering {
      pendingRelease.append(row)
      return Removal(.nothing, garbage: garbage)
    }
    if isHere { return Removal(.clear, garbage: garbage) }
    rowTasks.append(.clear(row))
    return Removal(needsHop() ? .hop : .nothing, garbage: garbage)
  }
}
