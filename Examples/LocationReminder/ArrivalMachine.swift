/// Says when somebody has arrived at a place: once, until they have left it.
struct ArrivalMachine {
  let place: Position
  let radius: Double
  private var isThere = false

  init(place: Position, radius: Double) {
    self.place = place
    self.radius = radius
  }

  /// The distance in metres, if this is an arrival. Whoever goes to and fro on the border has not left
  /// until they are a tenth of the radius away from it.
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
