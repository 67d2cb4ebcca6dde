import Foundation

/// Which folders of a module name what others declare.
struct FolderOrder {
  struct File {
    /// Below the module's folder.
    let path: String
    let declarations: SwiftDeclarations

    init(_ path: String, _ source: String) {
      self.path = path
      declarations = SwiftDeclarations(source)
    }

    /// A folder inside another one is a folder of its own.
    var folder: String {
      let folder = path.split(separator: "/").dropLast().joined(separator: "/")
      return folder.isEmpty ? "." : folder
    }
  }

  /// A name that a folder takes from another one.
  struct Use: Hashable {
    let name: String
    let place: String
  }

  private var uses: [String: [String: [Use]]] = [:]

  init(_ files: [File]) {
    let types = Self.homes(files) { $0.topLevelTypes + $0.nestedTypes }
    let functions = Self.homes(files, of: \.functions)
    for file in files.sorted(by: { $0.path < $1.path }) {
      for (homes, words) in [
        (types, file.declarations.typeUses), (functions, file.declarations.functionUses),
      ] {
        for (name, line) in words.sorted(by: { $0.key < $1.key }) {
          guard let home = homes[name], home != file.folder else { continue }
          uses[file.folder, default: [:]][home, default: []]
            .append(Use(name: name, place: "\(file.path):\(line)"))
        }
      }
    }
  }

  /// The folder of each name. A name that several folders declare is left out: which of them is meant
  /// can't be seen.
  private static func homes(
    _ files: [File],
    of names: (SwiftDeclarations) -> [String]
  ) -> [String: String] {
    var homes: [String: Set<String>] = [:]
    for file in files {
      for name in names(file.declarations) { homes[name, default: []].insert(file.folder) }
    }
    return homes.compactMapValues { $0.count == 1 ? $0.first : nil }
  }

  /// A text for each pair of folders that need each other.
  var cycles: [String] {
    let folders = uses.keys.sorted()
    return folders.flatMap { first in
      folders.compactMap { second in
        guard first < second, let there = uses[first]?[second], let back = uses[second]?[first]
        else { return nil }
        return """
          \(first) and \(second) need each other.
          \(first) names \(Self.list(there))
          \(second) names \(Self.list(back))
          """
      }
    }
  }

  private static func list(_ uses: [Use]) -> String {
    uses.map { "\($0.name) (\($0.place))" }.joined(separator: ", ")
  }
}

extension FolderOrder.File {
  /// The Swift files of a module of this package.
  static func all(in module: String) throws -> [FolderOrder.File] {
    let folder = Sample.root.appending(path: "Sources").appending(path: module)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }
    return try paths.sorted().map { path in
      FolderOrder.File(path, try String(contentsOf: folder.appending(path: path), encoding: .utf8))
    }
  }

  /// The type after which the file should be named, and is not.
  ///
  /// A file with one type that others see is named `Type.swift` or `Type+Facet.swift`.
  var typeMissingInName: String? {
    let types = declarations.topLevelTypes
    let name = path.split(separator: "/").last.map { $0.dropLast(".swift".count) } ?? ""
    guard types.count == 1, name != types[0], !name.hasPrefix("\(types[0])+") else { return nil }
    return types[0]
  }
}
