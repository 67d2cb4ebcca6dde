import CustomDump
import Testing

@Suite("Files are named after their types")
struct FileNameTests {
  /// Files whose one type is not what they are about.
  static let exceptions: Set = [
    "LifecycleJournaling/SystemCalls.swift",
    "LifecycleTesting/Recording/TranscriptTexts.swift",
  ]

  @Test(
    "A file with one type is named after it",
    arguments: FolderOrderTests.modules
  )
  func fileIsNamedAfterItsType(_ module: String) throws {
    let offenders = try FolderOrder.File.all(in: module).compactMap { file -> String? in
      let path = "\(module)/\(file.path)"
      return Self.exceptions.contains(path)
        ? nil : file.typeMissingInName.map { "\(path) declares \($0)" }
    }
    expectNoDifference(offenders, [])
  }

  @Test(
    "The rule",
    arguments: [
      ("Bus/Bus.swift", "struct Bus {}\nextension Bus { struct Row {} }\nprivate struct Table {}"),
      ("Bus/Bus+Table.swift", "package struct Bus {}"),
      ("Bus/Publisher+Gate.swift", "extension Publisher {}"),
      ("Rows.swift", "struct Row {}\nstruct Cell {}"),
      ("make.swift", "func make() {}"),
    ]
  )
  func namesThatPass(_ path: String, _ source: String) {
    expectNoDifference(FolderOrder.File(path, source).typeMissingInName, nil)
  }

  @Test("A file that is named after something else")
  func nameThatFails() {
    expectNoDifference(
      FolderOrder.File("Bus/Buses.swift", "import A\n\npublic actor Bus {}").typeMissingInName,
      "Bus"
    )
  }
}
