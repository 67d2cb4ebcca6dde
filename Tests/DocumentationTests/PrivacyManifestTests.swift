import CustomDump
import Foundation
import Testing

/// Apple's rule: a library names each category of "required reason API" that it calls, and why, in a
/// privacy manifest of its own.
/// https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api
@Suite("Privacy manifests")
struct PrivacyManifestTests {
  @Test("Each module declares what it calls, and nothing else", arguments: try modules())
  func eachModuleDeclaresWhatItCalls(_ module: String) throws {
    let used = usedCategories(try code(of: module))
    let declared = try manifest(of: module)?.accessed ?? []
    expectNoDifference(declared.map(\.category).sorted(), used.sorted())
    for type in declared {
      let approved = Category.all.first { $0.name == type.category }?.reasons ?? []
      #expect(!type.reasons.isEmpty && approved.isSuperset(of: type.reasons), "\(type.reasons)")
    }
  }

  @Test(
    "A module with files says why it asks for their state, and tracks nobody",
    arguments: ["LifecycleFlightRecording", "LifecycleJournaling"]
  )
  func modulesWithFilesSayWhyTheyAskForState(_ module: String) throws {
    expectNoDifference(
      try manifest(of: module),
      PrivacyManifest(
        tracking: false,
        trackingDomains: [],
        accessed: [
          .init(category: "NSPrivacyAccessedAPICategoryFileTimestamp", reasons: ["C617.1"])
        ]
      )
    )
  }

  @Test("Calls are told from types, and from longer names")
  func callsAreToldFromTypes() {
    expectNoDifference(usedCategories("var status = stat(); restat(file); MyUserDefaults()"), [])
    expectNoDifference(
      usedCategories("stat(path, &status)\nmach_absolute_time()\nstatfs(path, &disk)"),
      [
        "NSPrivacyAccessedAPICategoryFileTimestamp", "NSPrivacyAccessedAPICategorySystemBootTime",
        "NSPrivacyAccessedAPICategoryDiskSpace",
      ]
    )
  }
}

private struct PrivacyManifest: Decodable, Equatable {
  struct Accessed: Decodable, Equatable {
    var category: String
    var reasons: [String]

    private enum CodingKeys: String, CodingKey {
      case category = "NSPrivacyAccessedAPIType"
      case reasons = "NSPrivacyAccessedAPITypeReasons"
    }
  }

  var tracking: Bool
  var trackingDomains: [String]
  var accessed: [Accessed]

  private enum CodingKeys: String, CodingKey {
    case tracking = "NSPrivacyTracking"
    case trackingDomains = "NSPrivacyTrackingDomains"
    case accessed = "NSPrivacyAccessedAPITypes"
  }
}

/// A category of Apple's, with the words of its API that can stand in a source, and the reasons that
/// are approved.
private struct Category {
  var name: String
  var functions: [String] = []
  var names: [String] = []
  var reasons: Set<String>

  func isUsed(in text: String) -> Bool {
    // A regular expression takes a second for a large module in a debug build.
    guard (functions + names).contains(where: { text.contains($0) }) else { return false }
    // `stat()` is a value in Swift, not a call.
    let patterns = functions.map { #"\b\#($0)\((?!\))"# } + names.map { #"\b\#($0)\b"# }
    return text.contains(try! Regex(patterns.joined(separator: "|")))
  }

  static let all = [
    Category(
      name: "NSPrivacyAccessedAPICategoryFileTimestamp",
      functions: ["stat", "fstat", "fstatat", "lstat"] + attributeLists,
      names: [
        "creationDate", "creationDateKey", "modificationDate", "fileModificationDate",
        "contentModificationDateKey",
      ],
      reasons: ["DDA9.1", "C617.1", "3B52.1", "0A2A.1"]
    ),
    Category(
      name: "NSPrivacyAccessedAPICategorySystemBootTime",
      names: ["systemUptime", "mach_absolute_time"],
      reasons: ["35F9.1", "8FFB.1", "3D61.1"]
    ),
    Category(
      name: "NSPrivacyAccessedAPICategoryDiskSpace",
      functions: ["statfs", "statvfs", "fstatfs", "fstatvfs"] + attributeLists,
      names: [
        "volumeAvailableCapacityKey", "volumeAvailableCapacityForImportantUsageKey",
        "volumeAvailableCapacityForOpportunisticUsageKey", "volumeTotalCapacityKey",
        "systemFreeSize", "systemSize",
      ],
      reasons: ["85F4.1", "E174.1", "7D9E.1", "B728.1"]
    ),
    Category(
      name: "NSPrivacyAccessedAPICategoryActiveKeyboards",
      names: ["activeInputModes"],
      reasons: ["3EC4.1", "54BD.1"]
    ),
    Category(
      name: "NSPrivacyAccessedAPICategoryUserDefaults",
      names: ["UserDefaults"],
      reasons: ["CA92.1", "1C8F.1", "C56D.1", "AC6B.1"]
    ),
  ]

  private static let attributeLists = [
    "getattrlist", "getattrlistat", "getattrlistbulk", "fgetattrlist",
  ]
}

private func usedCategories(_ text: String) -> [String] {
  Category.all.filter { $0.isUsed(in: text) }.map(\.name)
}

private let sources = Sample.root.appending(path: "Sources")

private func modules() throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted()
}

/// The text of a module's files, without comments that go on to the end of a line.
private func code(of module: String) throws -> String {
  let folder = sources.appending(path: module)
  let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
  return try paths.filter { [".swift", ".c", ".h"].contains(where: $0.hasSuffix) }
    .filter { !$0.contains(".docc/") }
    .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    .filter { !$0.hasPrefix("#if os(Linux)\n") }
    .flatMap { $0.components(separatedBy: "\n") }
    .map { $0.components(separatedBy: "//")[0] }
    .joined(separator: "\n")
}

private func manifest(of module: String) throws -> PrivacyManifest? {
  let file = sources.appending(path: "\(module)/PrivacyInfo.xcprivacy")
  guard FileManager.default.fileExists(atPath: file.path) else { return nil }
  return try PropertyListDecoder().decode(PrivacyManifest.self, from: Data(contentsOf: file))
}
