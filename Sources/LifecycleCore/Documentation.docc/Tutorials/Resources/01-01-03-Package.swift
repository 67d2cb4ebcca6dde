// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "BikeRental",
  platforms: [.macOS(.v13)],
  targets: [
    .executableTarget(
      name: "BikeRental"
    ),
    .testTarget(
      name: "BikeRentalTests",
      dependencies: ["BikeRental"]
    ),
  ],
  swiftLanguageModes: [.v6]
)
