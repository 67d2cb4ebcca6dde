import ReactiveLifecycle

/// A source, as a separate object in the head of a run, or as a part of a record.
struct FlightSourceLine: Codable {
  private enum Role: String, CaseIterable {
    case application, participant, ceiling
  }

  let source: FlightSource

  init(_ source: FlightSource) {
    self.source = source
  }

  init(from decoder: any Decoder) throws {
    try self.init(FlightFields(decoder))
  }

  init(_ fields: FlightFields) throws(FlightLineDamage) {
    let name: Role = try fields.named(.role, Role.allCases.map(\.rawValue))
    let role: LifecycleRole =
      switch name {
      case .application: .participant(.application)
      case .participant: .participant(LifecycleParticipant(rawValue: try fields.text(.participant)))
      case .ceiling: .ceiling
      }
    // The program is number 0.
    let id = try fields.positiveNumber(.source)
    let whole = try fields.optional(.whole, fields.positiveNumber)
    // A part is connected after the source that it is a part of.
    if let whole, whole >= id {
      throw fields.wrong(.whole, "a number less than the source's, \(id)")
    }
    source = FlightSource(
      id: id,
      name: LifecycleSourceName(rawValue: try fields.text(.name)),
      role: role,
      whole: whole,
      phase: try fields.phase(.phase)
    )
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: FlightField.self)
    try encode(to: &container)
  }

  func encode(to container: inout KeyedEncodingContainer<FlightField>) throws {
    try container.encode(FlightFormat.number(source.id), forKey: .source)
    try container.encode(source.name.rawValue, forKey: .name)
    let role: Role
    switch source.role {
    case .participant(.application): role = .application
    case .participant(let participant):
      role = .participant
      try container.encode(participant.rawValue, forKey: .participant)
    case .ceiling: role = .ceiling
    }
    try container.encode(role.rawValue, forKey: .role)
    try container.encodeIfPresent(source.whole.map { FlightFormat.number($0) }, forKey: .whole)
    try container.encode(source.phase.rawValue, forKey: .phase)
  }
}
