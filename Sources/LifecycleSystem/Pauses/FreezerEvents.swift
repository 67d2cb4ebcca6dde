#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The file by which the kernel reports that the control group of this process was frozen.
  struct FreezerEvents {
    let descriptor: Int32
    private let group: ControlGroup

    /// The reason why there is none.
    struct Failure: Error {
      var reason: String
    }

    /// Opens the file of the process's control group.
    init() throws(Failure) {
      guard let group = ControlGroup.current else {
        throw Failure(reason: "there is no control group of version 2")
      }
      self.group = group
      descriptor = open("\(group.folder)/cgroup.events", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        // Only the topmost group has no such file. The topmost of a container's own namespace,
        // which has the same path, has one, and can be frozen.
        throw Failure(
          reason: errno == ENOENT
            ? "the topmost control group is never frozen"
            : "cgroup.events can't be read: \(SystemFile.lastError)"
        )
      }
      // Poll(2) waits for what is later than the last reading.
      _ = isFrozen
    }

    /// A Boolean value that indicates whether the group is frozen; nil if it is gone.
    var isFrozen: Bool? {
      guard let text = SystemFile.text(of: descriptor) else { return nil }
      return SystemFile.number("frozen", in: text) == 1
    }

    /// The time that the group has been frozen since it exists; nil before Linux 6.18.
    var frozenTime: Duration? {
      guard let text = SystemFile.text("\(group.folder)/cgroup.stat.local") else { return nil }
      return SystemFile.number("frozen_usec", in: text).map { .microseconds($0) }
    }

    func close() {
      SystemFile.close(descriptor)
    }
  }
#endif
