// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "BikeRental",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(url: "https://github.com/<owner>/swift-reactive-lifecycle", branch: "main")
  ],
  targets: [
    .executableTarget(
      name: "BikeRental",
      dependencies: [
        .product(name: "LifecycleCombine", package: "swift-reactive-lifecycle"),
        .product(name: "LifecycleCountdowns", package: "swift-reactive-lifecycle"),
        .product(name: "ReactiveLifecycle", package: "swift-reactive-lifecycle"),
      ]
    ),
    .testTarget(
      name: "BikeRentalTests",
      dependencies: [
        "BikeRental",
        .product(name: "LifecycleTesting", package: "swift-reactive-lifecycle"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
