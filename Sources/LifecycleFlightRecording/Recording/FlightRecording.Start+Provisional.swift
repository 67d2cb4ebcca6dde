import ReactiveLifecycle

extension FlightRecording.Start {
  mutating func advance(past record: FlightRecord) {
    instant = record.instant
    if case .event(let event) = record.content { phase = event.phase }
  }
}
