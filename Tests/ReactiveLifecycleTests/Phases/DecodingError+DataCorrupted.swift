extension DecodingError {
  /// Whether the error is that a text has the right type, and is not valid.
  var isDataCorrupted: Bool {
    if case .dataCorrupted = self { true } else { false }
  }
}
