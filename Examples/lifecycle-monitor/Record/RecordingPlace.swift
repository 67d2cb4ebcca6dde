#if os(Linux)
  import Foundation
  import LifecycleFlightRecording

  /// The file that the recording of a command is written to.
  ///
  /// The command runs whatever is found at the path: an observer does not decide over it.
  struct RecordingPlace {
    /// The reason why a file can't be used.
    private struct Refusal: Error {
      let reason: String
      /// A Boolean value that indicates whether a file beside it may be used.
      var isOfThisFile = true
    }

    /// The path for the writer.
    let path: String
    /// The path for messages.
    let name: String
    private let bytes: [UInt8]
    private let isNew: Bool

    /// Returns the file at a path or, if that can't be used, one beside it: `life-2.jsonl` for
    /// `life.jsonl`. A new file is created.
    ///
    /// - Parameters:
    ///   - path: The path, which need not be UTF-8.
    ///   - report: Receives the reason why the file can't be used, and what is done instead.
    static func find(
      _ path: [UInt8],
      append: Bool,
      force: Bool,
      report: (String) -> Void
    ) -> Self? {
      var reason: String?
      for number in 1...99 {
        do throws(Refusal) {
          let candidate = number == 1 ? path : beside(path, number)
          let place = try Self(candidate, append: append, force: force && number == 1)
          if let reason { report("\(reason) The command is recorded in \(place.name).") }
          return place
        } catch {
          reason = reason ?? error.reason
          if !error.isOfThisFile { break }
        }
      }
      if let reason { report("\(reason) The command is not recorded.") }
      return nil
    }

    private static func beside(_ path: [UInt8], _ number: Int) -> [UInt8] {
      let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
      // A hidden file has no other name.
      let dot = path[start...].dropFirst().lastIndex(of: UInt8(ascii: ".")) ?? path.endIndex
      return Array(path[..<dot]) + Array("-\(number)".utf8) + Array(path[dot...])
    }

    private init(_ bytes: [UInt8], append: Bool, force: Bool) throws(Refusal) {
      (self.bytes, name) = (bytes, String(decoding: bytes, as: UTF8.self))
      // To open a pipe would wait for its reader.
      let flags = O_WRONLY | O_NONBLOCK | O_CLOEXEC
      var descriptor = Self.open(bytes, flags | O_CREAT | O_EXCL)
      isNew = descriptor >= 0
      if !isNew, errno == EEXIST {
        descriptor = Self.open(bytes, append || force ? flags | O_CREAT : flags)
      }
      guard descriptor >= 0 else {
        throw Refusal(
          reason: "cannot create \(name): \(String(cString: strerror(errno))).",
          isOfThisFile: !isNew && errno == EACCES
        )
      }
      let isText = Array(name.utf8) == bytes
      // The writer takes text. It follows the file if another program moves it.
      path = isText ? name : "/proc/self/fd/\(descriptor)"
      do throws(Refusal) {
        try check(descriptor, append: append, force: force)
      } catch {
        close(descriptor)
        throw error
      }
      if isText { close(descriptor) }
    }

    private func check(_ descriptor: CInt, append: Bool, force: Bool) throws(Refusal) {
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        throw Refusal(
          reason: "cannot create \(name): it is not a regular file.",
          isOfThisFile: false
        )
      }
      guard isNew || append || force else {
        throw Refusal(reason: "cannot create \(name): it exists; use --append or --force.")
      }
      guard append, status.st_size > 0 else { return }
      do throws(FlightFileError) {
        try expectRecording()
      } catch {
        var error = error
        error.path = name
        throw Refusal(reason: "\(error)")
      }
    }

    /// Reads as much of the file as shows that it is a recording.
    private func expectRecording() throws(FlightFileError) {
      var reader = try FlightFileReader(path)
      // The second piece of a short file is its end.
      for _ in 1...2 {
        let items = try reader.next() ?? []
        if items.contains(where: { if case .begin = $0 { true } else { false } }) { return }
      }
      throw FlightFileError(.notARecording(reason: "none begins at its beginning"), path)
    }

    private static func open(_ bytes: [UInt8], _ flags: CInt) -> CInt {
      (bytes.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer {
        Glibc.open($0.baseAddress!, flags, 0o600)
      }
    }

    /// Removes the file, if this has created it.
    func removeNew() {
      guard isNew else { return }
      _ = (bytes.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer {
        unlink($0.baseAddress!)
      }
    }
  }
#endif
