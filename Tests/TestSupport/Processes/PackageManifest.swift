import Foundation
import JobControl

/// The manifest of this package, as the package manager evaluates it.
public struct PackageManifest: Sendable {
  /// A target's dependency on a product of another package.
  public struct Dependency: Hashable, Sendable {
    public let target: String
    public let product: String
    public let package: String
    /// The traits of which one must be enabled; empty if the dependency has no such condition.
    public let traits: [String]
    /// The platforms for which the product is linked; empty if it is linked for all.
    public let platforms: [String]
  }

  public let dependencies: [Dependency]
  /// The traits of the package; `default` is that of the traits that are enabled by default.
  public let traits: [String]

  public init() throws {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardized.path
    // The folder of the build may be locked.
    let scratch = TemporaryDirectory()
    let script = #"exec swift package dump-package --package-path "$1" --scratch-path "$2" 2>"$3""#
    let result = try runProgram(
      "/usr/bin/env",
      ["sh", "-c", script, "sh", root, scratch.path, scratch.path("log")]
    )
    let contents = try? JSONSerialization.jsonObject(with: Data(result.text.utf8))
    guard result.status == .exited(0), let contents = contents as? [String: Any] else {
      let log = String(decoding: scratch.bytes("log"), as: UTF8.self)
      throw Failure(text: log + result.text)
    }
    let traits = contents["traits"] as? [[String: Any]] ?? []
    self.traits = traits.compactMap { $0["name"] as? String }
    let targets = contents["targets"] as? [[String: Any]] ?? []
    dependencies = targets.flatMap { target in
      let dependencies = target["dependencies"] as? [[String: Any]] ?? []
      return dependencies.compactMap { Dependency($0, of: target["name"] as? String ?? "") }
    }
  }

  struct Failure: Error {
    let text: String
  }
}

extension PackageManifest.Dependency {
  /// Nil if it is on a target, or on a product of the package itself.
  fileprivate init?(_ contents: [String: Any], of target: String) {
    // The name, the package, aliases of modules, and the condition.
    guard let parts = contents["product"] as? [Any], parts.count == 4,
      let product = parts[0] as? String, let package = parts[1] as? String
    else { return nil }
    let condition = parts[3] as? [String: Any] ?? [:]
    self.target = target
    self.product = product
    self.package = package
    traits = condition["traits"] as? [String] ?? []
    platforms = condition["platformNames"] as? [String] ?? []
  }
}
