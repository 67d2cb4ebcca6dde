// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "BikeRental",
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
