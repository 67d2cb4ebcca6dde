/// A place where this process may learn of memory pressure, and what to write there.
struct PressurePlace: Hashable, Sendable {
  var path: String
  var triggers: [PressureTrigger]
  /// The place in words.
  var text: String
}
