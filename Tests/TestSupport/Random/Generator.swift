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
