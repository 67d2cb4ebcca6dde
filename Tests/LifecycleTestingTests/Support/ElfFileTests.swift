import CustomDump
import TestSupport
import Testing

@testable import LifecycleTesting

@Suite("The symbols of an ELF file")
struct ElfFileTests {
  private let symbols: [(name: String, number: UInt64)] = [
    ("early", 3), ("first", 4), ("second", 5), ("alias", 5), ("größe", 6), ("late", 20),
  ]

  @Test("Those that begin at a place are found, and no others")
  func symbolsAtPlace() {
    let image = ElfImage(symbols: symbols).bytes
    let found = (0..<UInt64(0x200)).compactMap { place in
      let names = names(in: image, at: place)
      return names.isEmpty ? nil : "\(place / 16).\(place % 16): \(names.joined(separator: " "))"
    }
    // What is outside of the loaded segment is nowhere in memory.
    expectNoDifference(found, ["4.0: first", "5.0: second alias", "6.0: größe"])
  }

  @Test("A stripped file has none")
  func stripped() {
    let image = ElfImage(symbols: symbols, isStripped: true).bytes
    expectNoDifference((0..<0x200).flatMap { names(in: image, at: $0) }, [])
  }

  @Test("A file that is cut off anywhere has no wrong ones")
  func truncated() {
    let image = ElfImage(symbols: symbols).bytes
    for count in image.indices {
      expectNoDifference(names(in: Array(image[..<count]), at: 0x40), [])
    }
  }

  @Test("Any byte of a file can be any other")
  func mutated() {
    let image = ElfImage(symbols: symbols).bytes
    for place in image.indices {
      var mutated = image
      for value in [0, 1, 0x3F, 0x7F, 0x80, 0xFE, 0xFF, image[place] ^ 1] as [UInt8] {
        mutated[place] = value
        _ = names(in: mutated, at: 0x40)
      }
    }
    var random = SeededGenerator(seed: 20)
    for _ in 0..<4000 {
      var mutated = image
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        mutated[Int.random(in: 6..<image.count, using: &random)] = .random(
          in: 0...255,
          using: &random
        )
      }
      _ = names(in: mutated, at: .random(in: 0...UInt64.max, using: &random))
      _ = names(in: mutated, at: 0x40)
    }
  }

  private func names(in bytes: [UInt8], at place: UInt64) -> [String] {
    bytes.withUnsafeBytes { ElfFile($0)?.symbolNames(atOffset: place) ?? [] }
  }
}
