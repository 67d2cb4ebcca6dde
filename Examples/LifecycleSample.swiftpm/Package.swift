// swift-tools-version: 6.3

// An app package: open the folder in Xcode, which alone has AppleProductTypes and Swift 6.3.

import AppleProductTypes
import PackageDescription

let package = Package(
  name: "LifecycleSample",
  // The library needs iOS 16; `@Observable`, which the models use, iOS 17.
  platforms: [.iOS(.v17)],
  products: [
    .iOSApplication(
      name: "LifecycleSample",
      targets: ["LifecycleSample"],
      bundleIdentifier: "com.example.LifecycleSample",
      displayVersion: "1.0",
      bundleVersion: "1",
      appIcon: .placeholder(icon: .bicycle),
      accentColor: .presetColor(.blue),
      supportedDeviceFamilies: [.pad, .phone],
      supportedInterfaceOrientations: [
        .portrait, .landscapeLeft, .landscapeRight,
        .portraitUpsideDown(.when(deviceFamilies: [.pad])),
      ]
    )
  ],
  dependencies: [
    // In a copy of this folder outside the repository, use the address instead:
    // .package(url: "https://github.com/<owner>/swift-reactive-lifecycle", branch: "main"),
    .package(name: "swift-reactive-lifecycle", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "LifecycleSample",
      dependencies: [
        .product(name: "LifecycleBackgroundWork", package: "swift-reactive-lifecycle"),
        .product(name: "LifecycleCombine", package: "swift-reactive-lifecycle"),
        .product(name: "LifecycleCountdowns", package: "swift-reactive-lifecycle"),
        .product(name: "LifecycleFlightRecording", package: "swift-reactive-lifecycle"),
        .product(name: "LifecycleJournaling", package: "swift-reactive-lifecycle"),
        .product(name: "ReactiveLifecycle", package: "swift-reactive-lifecycle"),
      ],
      path: ".",
      // Those of a new Xcode project that the Swift 6 mode doesn't have.
      swiftSettings: [
        .defaultIsolation(MainActor.self),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
