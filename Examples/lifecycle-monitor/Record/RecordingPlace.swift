#if os(Linux)
  import Foundation
  import LifecycleFlightRecording
  import LifecycleSupport
  import ProgramReporting
  import ReactiveLifecycle

  /// The file that the recording of a command is written to.
  ///
  /// The command runs whatever is found at the path: an observer does not decide over it.
  struct RecordingPlace {
    /// The reason why a file can't be used.
    private struct Refusal: Error {
      let reason: String
      /// A Boolean value that indicates whether a file beside it may be used.
      let isOfThisFile: Bool
    }

    /// `O_PATH`, which Swift's view of the C library lacks.
    private static let pathOnly: CInt = 0o10000000

    /// The path for the writer.
    private let path: String
    /// The path for messages.
    private let name: String
    private let isNew: Bool

    /// Writes a recording to the file at a path or, if that can't be used, to one beside it:
    /// `life-2.jsonl` for `life.jsonl`. Reports the reason why the file can't be used, and what is
    /// done instead.
    ///
    /// - Parameters:
    ///   - path: The path, which need not be UTF-8.
    ///   - append: Whether to add to a recording that exists.
    ///   - force: Whether to replace the content of a file that exists.
    /// - Returns: As `writeWithFlush` does; nil if there is no recording.
    static func write(
      _ recorder: FlightRecorder,
      to path: [UInt8],
      append: Bool,
      force: Bool
    ) -> (writing: LifecycleCancellable, flush: @Sendable () -> Void)? {
      var reason: String?
      for number in 1...99 {
        do throws(Refusal) {
          let place = try Self(number == 1 ? path : beside(path, number))
          let writing = try place.write(recorder, append: append, force: force && number == 1)
          if let reason { diagnose("\(reason) The command is recorded in \(place.name).") }
          return writing
        } catch {
          reason = reason ?? error.reason
          if !error.isOfThisFile { break }
        }
      }
      if let reason { diagnose("\(reason) The command is not recorded.") }
      return nil
    }

    private static func beside(_ path: [UInt8], _ number: Int) -> [UInt8] {
      let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
      // A hidden file has no other name.
      let dot = path[start...].dropFirst().lastIndex(of: UInt8(ascii: ".")) ?? path.endIndex
      return Array(path[..<dot]) + Array("-\(number)".utf8) + Array(path[dot...])
    }

    /// Creates the file, if there is none.
    private init(_ bytes: [UInt8]) throws(Refusal) {
      name = String(decoding: bytes, as: UTF8.self)
      var descriptor = Self.open(bytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
      isNew = descriptor >= 0
      guard isNew || errno == EEXIST else {
        throw Refusal(
          reason: "cannot create \(name): \(String(cString: strerror(errno))).",
          isOfThisFile: false
        )
      }
      // To open a pipe or a device would have effects.
      if !isNew { descriptor = Self.open(bytes, Self.pathOnly | O_CLOEXEC) }
      let isText = Array(name.utf8) == bytes
      // The writer takes text. It follows the file if another program moves it.
      path = isText ? name : "/proc/self/fd/\(descriptor)"
      if isText { close(descriptor) }
    }

    private func write(
      _ recorder: FlightRecorder,
      append: Bool,
      force: Bool
    ) throws(Refusal) -> (writing: LifecycleCancellable, flush: @Sendable () -> Void) {
      let kind = SystemFile.kind(at: path)
      // A link may lead nowhere.
      guard kind == .regular || kind == nil else {
        throw Refusal(
          reason: "cannot create \(name): it is not a regular file.",
          isOfThisFile: false
        )
      }
      guard isNew || append || force else {
        throw Refusal(
          reason: "cannot create \(name): it exists; use --append or --force.",
          isOfThisFile: true
        )
      }
      let name = name
      do throws(FlightFileError) {
        if append, kind != nil, !RecordingFiles.isEmpty(path) { try expectRecording() }
        return try recorder.writeWithFlush(to: path, replacing: force) { error in
          Self.diagnose(error.named(name).description)
        }
      } catch {
        // Without space, another file would be of no use.
        let isOfThisFile =
          error.problem == .unwritable(errno: EWOULDBLOCK)
          || !isNew && error.problem != .unwritable(errno: ENOSPC)
        throw Refusal(reason: error.named(name).description, isOfThisFile: isOfThisFile)
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

    private static func diagnose(_ message: String) {
      DescriptorOutput.diagnose(message, program: "lifecycle-monitor")
    }
  }

  extension FlightFileError {
    fileprivate func named(_ name: String) -> Self { Self(problem, name) }
  }
#endif
