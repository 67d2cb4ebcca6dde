import LifecycleSources
import ReactiveLifecycle

@main
struct BikeRental {
  @MainActor
  static func main() throws {
    let bus = LifecycleBus()
    let connection = try bus.connect(.processSignals())
    withExtendedLifetime((bus, connection)) {}
  }
}
