import LifecycleSupport

#if os(Linux)

  /// The control group of version 2 that this process is in.
  struct ControlGroup: Hashable {
    /// The folder of the group.
    let folder: String

    /// The group of this process.
    static var current: Self {
      get throws(SystemFailure) {
        guard let groups = KernelFile.text(at: "/proc/self/cgroup") else {
          throw SystemFailure("/proc/self/cgroup")
        }
        guard let mounts = KernelFile.text(at: "/proc/self/mountinfo") else {
          throw SystemFailure("/proc/self/mountinfo")
        }
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

  /// The file by which the kernel reports that the control group of this process was frozen.
  struct FreezerEvents {
    /// The state of a group that this process was in when the files were opened.
    enum State {
      case frozen, running
      /// The group has no process, or is gone: this process is in another one.
      case left
    }

    let descriptor: Int32
    /// The file that counts the time; nil before Linux 6.18.
    private let statistics: Int32?

    /// Opens the files of the process's control group.
    init() throws(SystemFailure) {
      let folder = try ControlGroup.current.folder
      descriptor = try Self.openEvents("\(folder)/cgroup.events")
      do throws(SystemFailure) {
        statistics = try KernelFile.open("\(folder)/cgroup.stat.local")
      } catch {
        statistics = nil
        if error.shortage != nil {
          close()
          throw error
        }
      }
      // Poll(2) waits for what is later than the last reading.
      _ = state
    }

    private static func openEvents(_ path: String) throws(SystemFailure) -> Int32 {
      do throws(SystemFailure) {
        return try KernelFile.open(path)
      } catch {
        // Only the topmost group has no such file. The topmost of a container's own namespace,
        // which has the same path, has one, and can be frozen.
        throw error.errno == ENOENT
          ? SystemFailure(path, reason: "the topmost control group is never frozen")
          : error
      }
    }

    /// The state of the group.
    var state: State {
      guard let text = KernelFile.text(of: descriptor),
        KernelFile.number("populated", in: text) == 1
      else { return .left }
      return KernelFile.number("frozen", in: text) == 1 ? .frozen : .running
    }

    /// The time that the group has been frozen since it exists; nil before Linux 6.18.
    var frozenTime: Duration? {
      guard let text = statistics.flatMap(KernelFile.text(of:)) else { return nil }
      return KernelFile.number("frozen_usec", in: text).map { .microseconds($0) }
    }

    func close() {
      SystemDescriptor.close(descriptor)
      if let statistics { SystemDescriptor.close(statistics) }
    }
  }

#endif
