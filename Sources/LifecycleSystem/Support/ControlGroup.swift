#if os(Linux)
  /// The control group of version 2 that this process is in.
  struct ControlGroup: Hashable {
    /// The folder of the group.
    let folder: String

    /// The group of this process.
    static var current: Self {
      get throws(SystemFailure) {
        let groups = try SystemFile.text("/proc/self/cgroup")
        let mounts = try SystemFile.text("/proc/self/mountinfo")
        guard let group = Self(groups: groups, mounts: mounts) else {
          let reason = "there is no control group of version 2"
          throw SystemFailure("the control group", reason: reason)
        }
        return group
      }
    }

    /// Finds the group in the text of `/proc/self/cgroup`, and its folder by that of
    /// `/proc/self/mountinfo`.
    ///
    /// The rules come from `cgroups(7)` and `proc_pid_mountinfo(5)`.
    init?(groups: String, mounts: String) {
      guard let line = groups.split(separator: "\n").first(where: { $0.hasPrefix("0::") })
      else { return nil }
      let path = line.dropFirst(3)
      for mount in mounts.split(separator: "\n") {
        let fields = mount.split(separator: " ")
        guard
          let separator = fields.firstIndex(of: "-"), fields.indices.contains(separator + 1),
          fields[separator + 1] == "cgroup2", fields.count > 4
        else { continue }
        // The group that is mounted, which is not the topmost one in a container without a
        // namespace for groups.
        let root = fields[3] == "/" ? "" : fields[3]
        guard path == root || path.hasPrefix(root + "/") else { continue }
        let rest = path.dropFirst(root.count)
        folder = Self.unescaped(fields[4]) + (rest == "/" ? "" : rest)
        return
      }
      return nil
    }

    /// Replaces the octal escapes that stand for blanks.
    private static func unescaped(_ field: Substring) -> String {
      field.split(separator: "\\040", omittingEmptySubsequences: false).joined(separator: " ")
    }
  }
#endif
