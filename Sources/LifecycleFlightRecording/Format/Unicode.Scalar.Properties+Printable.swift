extension Unicode.Scalar.Properties {
  /// A Boolean value that indicates whether the character can neither control a terminal nor change
  /// the order of the characters around it.
  package var isPrintable: Bool {
    switch generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    default: true
    }
  }
}
