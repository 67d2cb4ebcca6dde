/// The bytes that wait for the program, and the calls of the program that wait for bytes.
///
/// While the buffer is full, the terminal is not read: the kernel keeps the input, up to its own
/// limit.
struct InputBuffer<Waiter: Sendable>: Sendable {
  /// The number of bytes from which on the buffer is full.
  static var limit: Int { 65_536 }

  private var bytes: [UInt8] = []
  private var waiters: [(id: UInt64, waiter: Waiter)] = []
  private var lastID: UInt64 = 0
  private var isFinished = false

  /// A Boolean value that indicates whether the terminal is to be read.
  var acceptsBytes: Bool { !isFinished && bytes.count < Self.limit }

  /// Adds bytes.
  ///
  /// - Returns: The waiter that receives them, if there is one, and what it receives.
  mutating func add(_ more: [UInt8]) -> (waiter: Waiter, bytes: [UInt8]?)? {
    guard !more.isEmpty, !isFinished else { return nil }
    guard !waiters.isEmpty else {
      bytes += more
      return nil
    }
    return (waiters.removeFirst().waiter, more)
  }

  /// Ends the input. Returns the waiters to resume with nil; they are more than one only if several
  /// tasks read.
  mutating func finish() -> [Waiter] {
    isFinished = true
    defer { waiters = [] }
    return waiters.map(\.waiter)
  }

  /// Returns a number by which the next waiter can be cancelled.
  mutating func makeID() -> UInt64 {
    lastID += 1
    return lastID
  }

  /// Returns all bytes, or the nil that stands for the end; adds the waiter if neither is there.
  mutating func take(_ id: UInt64, _ waiter: Waiter) -> [UInt8]?? {
    if !bytes.isEmpty {
      defer { bytes = [] }
      return .some(bytes)
    }
    if isFinished { return .some(nil) }
    waiters.append((id, waiter))
    return .none
  }

  /// Removes a waiter that was cancelled. Returns it if it was waiting.
  mutating func cancel(_ id: UInt64) -> Waiter? {
    waiters.firstIndex { $0.id == id }.map { waiters.remove(at: $0).waiter }
  }
}
