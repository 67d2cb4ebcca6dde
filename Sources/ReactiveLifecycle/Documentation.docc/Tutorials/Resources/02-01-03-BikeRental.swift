import Foundation
import LifecycleSources
import ReactiveLifecycle

@main
struct BikeRental {
  @MainActor
  static func main() throws {
    let bus = LifecycleBus()
    let connection = try bus.connect(.processSignals())
    let reservation = Reservation(on: bus) { print($0) }
    withExtendedLifetime((bus, connection, reservation)) { RunLoop.main.run() }
  }
}
