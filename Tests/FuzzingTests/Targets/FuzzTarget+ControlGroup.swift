#if os(Linux)
  @testable import LifecycleSystem

  extension FuzzTarget {
    /// The texts of `/proc/self/cgroup` and `/proc/self/mountinfo`, which a zero separates.
    static let controlGroup = FuzzTarget("control-group") { bytes in
      var choices = FuzzChoices(bytes)
      let texts = (choices.text(), choices.text())
      guard let group = ControlGroup(groups: texts.0, mounts: texts.1) else { return nil }
      return group.folder.isEmpty ? "a folder without a path" : nil
    }
  }
#endif
