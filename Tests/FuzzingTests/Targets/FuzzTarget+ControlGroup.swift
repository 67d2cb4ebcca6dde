#if os(Linux)
  @testable import LifecycleSystem

  extension FuzzTarget {
    /// The texts of `/proc/self/cgroup` and `/proc/self/mountinfo`, which a zero separates; and, as
    /// the kernel writes them, those of a mount point, the group that is mounted, and the path from
    /// there to the process's group.
    static let controlGroup = FuzzTarget("control-group") { bytes in
      var choices = FuzzChoices(bytes)
      let texts = (choices.text(), choices.text(), choices.text())
      _ = ControlGroup(groups: texts.0, mounts: texts.1)
      return folderFault(
        mountPoint: "/\(texts.0)",
        root: groupPath(texts.1),
        rest: groupPath(texts.2)
      )
    }

    /// The path of a group, whose name has no line feeds, as mkdir(2) refuses them.
    private static func groupPath(_ text: String) -> String {
      let name = text.filter { !$0.isNewline }
      return name.isEmpty ? "" : "/\(name)"
    }

    private static func folderFault(mountPoint: String, root: String, rest: String) -> String? {
      let path = root + rest
      let mounts = """
        22 28 0:20 / /proc rw,nosuid shared:12 - proc proc rw
        41 31 0:38 \(escaped(root.isEmpty ? "/" : root)) \(escaped(mountPoint)) rw - cgroup2 none rw

        """
      let group = ControlGroup(
        groups: "1:cpu:/elsewhere\n0::\(path.isEmpty ? "/" : path)\n",
        mounts: mounts
      )
      let expected = mountPoint + rest
      // By bytes: the kernel knows no canonical equivalence.
      guard let group, group.folder.utf8.elementsEqual(expected.utf8) else {
        return "\(group?.folder ?? "no folder") instead of \(expected)"
      }
      return nil
    }

    /// What `seq_path` of the kernel makes of a path.
    private static func escaped(_ path: String) -> String {
      path.unicodeScalars.reduce(into: "") { text, scalar in
        switch scalar {
        case " ": text += #"\040"#
        case "\t": text += #"\011"#
        case "\n": text += #"\012"#
        case "\\": text += #"\134"#
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
  }
#endif
