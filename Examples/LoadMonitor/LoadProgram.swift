package import ReactiveLifecycle

/// A sensor, and a view model that is shown as lines of text.
@MainActor
package enum LoadProgram {
  /// Runs until a signal ends the process.
  ///
  /// - Parameters:
  ///   - interval: The time between two readings.
  ///   - bus: The bus whose phase determines when the sensor runs.
  ///   - print: Writes a line. Called on any thread.
  package static func run(
    every interval: Duration,
    bus: LifecycleBus,
    print: @escaping @Sendable (String) -> Void
  ) async {
    let sensor = LoadSensor(every: interval) { isOn in print(isOn ? "sensor on" : "sensor off") }
    let viewModel = LoadViewModel(sensor.readings, bus: bus) { load in
      let hundredths = Int((load * 100).rounded())
      print("load \(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)")
    }
    // Returning would end the process early; only a signal may end it.
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    withExtendedLifetime(viewModel) {}
  }
}
