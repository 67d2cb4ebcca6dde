/// A parser, and what must hold whatever bytes it reads.
struct FuzzTarget: Sendable {
  /// The name of the target, which is also that of its corpus.
  let name: String
  private let findFault: @Sendable ([UInt8]) -> String?

  init(_ name: String, fault: @escaping @Sendable ([UInt8]) -> String?) {
    self.name = name
    findFault = fault
  }

  /// Returns what is wrong with the result for these bytes; nil if nothing is.
  func fault(in bytes: [UInt8]) -> String? { findFault(bytes) }
}

extension FuzzTarget {
  /// The targets, one for each parser and file format. Short texts share one.
  static var all: [FuzzTarget] {
    var targets = [
      arguments, codable, countdown, feed, jobControl, journal, nmea, recording, terminal,
      transcript,
    ]
    #if os(Linux)
      targets += [controlGroup, processText, systemText]
    #endif
    #if Services
      targets.append(notifySocket)
    #endif
    return targets
  }
}
