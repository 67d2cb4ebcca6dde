import CustomDump
import Foundation
import Testing

@Suite("Fuzzing: stored forms")
struct StoredFormTests {
  @Test("The corpus has a value of each type that can be stored, so each is read by `swift test`")
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
