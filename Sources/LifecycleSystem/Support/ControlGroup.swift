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
      // By bytes: a folder's name may begin with a combining character.
      let lines = groups.utf8.split(separator: UInt8(ascii: "\n"))
      guard let line = lines.first(where: { $0.starts(with: "0::".utf8) }) else { return nil }
      let path = line.dropFirst(3)
      for mount in mounts.utf8.split(separator: UInt8(ascii: "\n")) {
        let fields = mount.split(separator: UInt8(ascii: " "))
        // Six fields, any number of optional ones, and a hyphen come before the type.
        guard let hyphen = fields.dropFirst(6).firstIndex(where: { $0.elementsEqual("-".utf8) }),
          fields.indices.contains(hyphen + 1), fields[hyphen + 1].elementsEqual("cgroup2".utf8)
        else { continue }
        // The group that is mounted, which is not the topmost one in a container without a
        // namespace for groups.
        var root = Self.unescaped(fields[3])
        if root == [Self.slash] { root = [] }
        let rest = path.dropFirst(root.count)
        guard path.starts(with: root), rest.first ?? Self.slash == Self.slash else { continue }
        let end = rest.elementsEqual("/".utf8) ? [] : Array(rest)
        folder = String(decoding: Self.unescaped(fields[4]) + end, as: UTF8.self)
        return
      }
      return nil
    }

    private static let slash = UInt8(ascii: "/")

    /// Replaces the escapes for blanks, tabs, line feeds and backslashes: a backslash and three
    /// octal digits. `/proc/self/cgroup` has none.
    private static func unescaped(_ field: Substring.UTF8View) -> [UInt8] {
      var bytes: [UInt8] = []
      var rest = field
      while let byte = rest.popFirst() {
        let digits = rest.prefix(3).map { $0 &- UInt8(ascii: "0") }
        if byte == UInt8(ascii: "\\"), digits.count == 3, digits[0] < 4,
          digits.allSatisfy({ $0 < 8 })
        {
          bytes.append(digits.reduce(0) { $0 << 3 | $1 })
          rest.removeFirst(3)
        } else {
          bytes.append(byte)
        }
      }
      return bytes
    }
  }
#endif
