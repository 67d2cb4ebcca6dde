/// The inputs that wait to be sent to one bus, in order.
///
/// Only one thread at a time sends: the one that found no other sending, or that connects the bus.
struct FocusOutbox {
  private var waiting: [Bool]
  private var isSending: Bool

  /// Creates the outbox of a bus that is being connected, for which the caller sends.
  init(found: Bool?) {
    waiting = found.map { [$0] } ?? []
    isSending = true
  }

  /// Adds an input.
  ///
  /// - Returns: True if the caller is to send.
  mutating func add(_ isFocused: Bool) -> Bool {
    waiting.append(isFocused)
    defer { isSending = true }
    return !isSending
  }

  /// Returns the inputs that the caller sends next; nil if it has sent all of them.
  mutating func take() -> [Bool]? {
    isSending = !waiting.isEmpty
    defer { waiting = [] }
    return isSending ? waiting : nil
  }
}
