import Foundation
import ReactiveLifecycle

@main
struct BikeRental {
  @MainActor
  static func main() {
    let reservation = Reservation(on: .application) { print($0) }
    withExtendedLifetime(reservation) { RunLoop.main.run() }
  }
}
