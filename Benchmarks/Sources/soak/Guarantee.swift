/// A guarantee of the library, by its number in the documentation, or a property of the whole run.
enum Guarantee: Int, CaseIterable {
  case legalPaths = 1
  case noDoubleFire
  case oneOrder
  case orderInsideAnEvent
  case joining
  case leaving
  case whereObserversRun
  case theEnd
  case scopes
  case backPressure
  case time
  case sameObserverAgain
  /// The promises of countdowns, operators, background work, files, and exit requests.
  case features
  /// The leftovers of an epoch: memory, threads, descriptors, objects, and things that wait.
  case leftovers

  /// The name that reports show: `G1` to `G12`, `features`, and `leftovers`.
  var name: String {
    switch self {
    case .features: "features"
    case .leftovers: "leftovers"
    default: "G\(rawValue)"
    }
  }
}
