import Foundation

/// Random numbers that come again from the same seed: SplitMix64.
public struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

/// Random numbers that follow from three others.
public struct Generator {
  private var state: UInt64

  public init(_ seed: UInt64, _ first: UInt64, _ second: UInt64) {
    state = seed &* 0x2545_F491_4F6C_DD1D ^ first &* 0x9E6C_63D0_876A_5B21 ^ second << 32
    for _ in 0..<3 { _ = next(below: 2) }
  }

  public mutating func next(below bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let mixed = (state ^ (state >> 29)) &* 0xD6E8_FEB8_6659_FD93
    return Int((mixed >> 33) % UInt64(bound))
  }
}

/// The seeds of a random test: 1 to `count`, or the one that `LIFECYCLE_SEED` names.
public func seeds(_ count: UInt64) -> ClosedRange<UInt64> {
  let chosen = ProcessInfo.processInfo.environment["LIFECYCLE_SEED"].flatMap(UInt64.init)
  return chosen.map { $0...$0 } ?? 1...count
}
