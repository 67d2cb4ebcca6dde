// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "graceful-server",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-reactive-lifecycle", path: "../..", traits: ["Services"]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .target(name: "CListenerFilter"),
    .executableTarget(
      name: "graceful-server",
      dependencies: [
        .lifecycle("LifecycleProcess"),
        .lifecycle("LifecycleServices"),
        .lifecycle("ReactiveLifecycle"),
        "CListenerFilter",
        .argumentParser,
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]
    ),
    .executableTarget(name: "request-load", dependencies: [.argumentParser]),
    .testTarget(
      name: "GracefulServerTests",
      dependencies: ["graceful-server", "request-load"]
    ),
  ],
  swiftLanguageModes: [.v6]
)

extension Target.Dependency {
  static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")

  static func lifecycle(_ name: String) -> Self {
    product(name: name, package: "swift-reactive-lifecycle")
  }
}

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
