/// The three fields of an instant.
struct FlightInstantFields {
  let continuous: FlightField
  let suspending: FlightField
  let wall: FlightField

  static let record = Self(continuous: .continuous, suspending: .suspending, wall: .wall)

  static let input = Self(
    continuous: .inputContinuous,
    suspending: .inputSuspending,
    wall: .inputWall
  )

  var all: [FlightField] { [continuous, suspending, wall] }
}
