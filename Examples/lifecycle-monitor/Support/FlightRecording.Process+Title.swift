import LifecycleFlightRecording

extension FlightRecording.Process {
  /// Returns the title of a run of this process, one of those of a file.
  func title(ofRun number: Int, of count: Int) -> String {
    "Run \(number) of \(count): \(name) (process \(id))"
  }
}
