import CustomDump
import Foundation
import Testing

/// The inputs that `.ci/fuzz` keeps: with them, a fuzzer reaches all code of a parser that it has
/// ever reached, and what once broke a parser is among them.
@Suite("Fuzzing corpora")
struct CorpusTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Corpora")

  @Test("No input of a corpus breaks its target", arguments: FuzzTarget.all.map(\.name))
  func inputs(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let inputs = try FileManager.default.contentsOfDirectory(
      at: Self.folder.appending(path: name),
      includingPropertiesForKeys: nil
    )
    #expect(!inputs.isEmpty)
    for input in inputs {
      let fault = target.fault(in: Array(try Data(contentsOf: input)))
      #expect(fault == nil, "\(name)/\(input.lastPathComponent)")
    }
  }
}

@Suite("Fuzzing of stored forms")
struct StoredFormTests {
  @Test("The corpus has a value of each type that can be stored")
  func values() throws {
    let corpus = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Corpora/codable")
    let values = try FileManager.default
      .contentsOfDirectory(at: corpus, includingPropertiesForKeys: nil)
      .map { try Data(contentsOf: $0) }
    let missing = StoredForm.all.filter { form in !values.contains(where: form.isRead) }
    expectNoDifference(missing.map(\.name), [])
  }
}
