import ReactiveLifecycle

/// A writer of the parts of a journal, in little-endian order.
struct ByteWriter {
  private(set) var bytes: [UInt8]

  init(capacity: Int) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  mutating func append<Integer: FixedWidthInteger & BitwiseCopyable>(_ integer: Integer) {
    withUnsafeBytes(of: integer.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ more: [UInt8]) {
    bytes.append(contentsOf: more)
  }

  /// Appends bytes, preceded by their number: 65,535 bytes at most.
  mutating func append(counted more: some Collection<UInt8>) {
    append(UInt16(more.count))
    bytes.append(contentsOf: more)
  }

  mutating func append(_ duration: Duration) {
    let (seconds, attoseconds) = duration.clamped.components
    append(seconds)
    append(attoseconds)
  }

  mutating func append(_ instant: LifecycleInstant) {
    append(instant.continuous.timeSinceBoot)
    append(instant.timeAwake)
    append(instant.timeSince1970)
  }
}

/// A reader of the bytes of a ``ByteWriter``.
///
/// Its methods return nil if the bytes are missing or invalid.
struct ByteReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    _: Integer.Type = Integer.self
  ) -> Integer? {
    guard let bytes = bytes(MemoryLayout<Integer>.size) else { return nil }
    var integer: Integer = 0
    withUnsafeMutableBytes(of: &integer) { $0.copyBytes(from: bytes) }
    return Integer(littleEndian: integer)
  }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest.removeFirst(count) }
    return rest.prefix(count)
  }

  mutating func counted() -> ArraySlice<UInt8>? {
    guard let count = integer(UInt16.self) else { return nil }
    return bytes(Int(count))
  }

  mutating func text() -> String? {
    counted().flatMap { String(validating: $0, as: UTF8.self) }
  }

  mutating func duration() -> Duration? {
    guard let seconds = integer(Int64.self), let attoseconds = integer(Int64.self),
      attoseconds.magnitude < 1_000_000_000_000_000_000
    else { return nil }
    let duration = Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
    // A writer clamps durations, so it has written none that is beyond.
    return duration == duration.clamped ? duration : nil
  }

  mutating func instant() -> LifecycleInstant? {
    guard let timeSinceBoot = duration(), let timeAwake = duration(),
      let timeSince1970 = duration()
    else { return nil }
    return LifecycleInstant(
      continuous: ContinuousInstant(timeSinceBoot: timeSinceBoot),
      timeAwake: timeAwake,
      timeSince1970: timeSince1970
    )
  }
}
