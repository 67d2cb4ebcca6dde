import CustomDump
import Foundation
import Testing

@Suite("Fuzzing: stored forms")
struct StoredFormTests {
  /// Types of the file format of recordings, which the target `recording` reads, and parts of the
  /// forms of other types.
  private static let parts = ["Choice", "FlightLine", "FlightSourceLine", "PolicyName"]

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  @Test("The target reads each type that can be stored")
  func types() throws {
    let sources = Self.folder.appending(path: "../../Sources").standardizedFileURL
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    let declaration =
      /(?:struct|enum|class|actor|extension) ([\w.]+)\s*:[^{]*\b(?:Codable|Decodable)\b/
    var names: [String] = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      names += text.matches(of: declaration)
        .compactMap { $0.1.split(separator: ".").last.map(String.init) }
    }
    expectNoDifference(names.sorted(), (StoredForm.all.map(\.name) + Self.parts).sorted())
  }

  @Test("The corpus has a value of each type")
  func values() throws {
    let inputs = try FileManager.default.contentsOfDirectory(
      at: Self.folder.appending(path: "Corpora/codable"),
      includingPropertiesForKeys: nil
    )
    let values = try inputs.map { try Data(contentsOf: $0) }
    let missing = StoredForm.all.filter { form in !values.contains(where: form.isRead) }
    expectNoDifference(missing.map(\.name), [])
  }
}
