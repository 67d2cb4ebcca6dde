#if os(Linux)
  import LifecycleSupport

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

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
        statistics = try SystemFile.openForReading("\(folder)/cgroup.stat.local")
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
        return try SystemFile.openForReading(path)
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
        SystemFile.number("populated", in: text) == 1
      else { return .left }
      return SystemFile.number("frozen", in: text) == 1 ? .frozen : .running
    }

    /// The time that the group has been frozen since it exists; nil before Linux 6.18.
    var frozenTime: Duration? {
      guard let text = statistics.flatMap(KernelFile.text(of:)) else { return nil }
      return SystemFile.number("frozen_usec", in: text).map { .microseconds($0) }
    }

    func close() {
      SystemFile.close(descriptor)
      if let statistics { SystemFile.close(statistics) }
    }
  }
#endif
