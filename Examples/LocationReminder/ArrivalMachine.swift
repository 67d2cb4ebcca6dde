/// Detects the arrival at a place: once, until the place has been left.
struct ArrivalMachine {
  let place: Position
  let radius: Double
  private var isThere = false

  init(place: Position, radius: Double) {
    self.place = place
    self.radius = radius
  }

  /// Returns the distance in meters if this is an arrival. Moving back and forth across the border
  /// does not count as leaving; only a distance of more than 1.1 times the radius does.
  mutating func move(to position: Position) -> Double? {
    let distance = position.distance(to: place)
    if isThere {
      isThere = distance <= radius * 1.1
      return nil
    }
    isThere = distance <= radius
    return isThere ? distance : nil
  }
}
