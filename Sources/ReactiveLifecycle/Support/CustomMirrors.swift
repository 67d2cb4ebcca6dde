// Names are plain text to whoever reflects them, custom-dump among others.

extension LifecycleEvent.Kind: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension LifecycleSourceName: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension LifecycleParty: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}

// `Duration` would show how it is stored: two halves of a number of attoseconds.

extension LifecycleInstant: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "continuous": Seconds(continuous), "suspending": Seconds(suspending), "wall": Seconds(wall),
      ],
      displayStyle: .struct
    )
  }
}

extension BackgroundStay: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "duration": Seconds(duration), "asleep": Seconds(asleep),
        "wallClockShift": Seconds(wallClockShift),
      ],
      displayStyle: .struct
    )
  }
}

extension LiveSubscription: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: ["location": location, "age": Seconds(age)],
      displayStyle: .struct
    )
  }
}

extension LifecycleJournal.PreviousRun: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: ["exit": exit, "away": away.map(Seconds.init) as Any, "damage": damage as Any],
      displayStyle: .struct
    )
  }
}

/// A duration as plain text.
package struct Seconds: Equatable, CustomStringConvertible, CustomReflectable {
  private let duration: Duration

  package init(_ duration: Duration) { self.duration = duration }

  package var description: String { duration.text }

  package var customMirror: Mirror { Mirror(self, children: []) }
}
