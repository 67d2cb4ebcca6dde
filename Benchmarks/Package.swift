// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-reactive-lifecycle", path: ".."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/google/swift-benchmark", from: "0.1.2"),
    .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.4.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
  ],
  targets: [
    .target(name: "SteppedClock", dependencies: [.lifecycle()]),
    .target(
      name: "BenchmarkSupport",
      dependencies: [
        .lifecycle(), .lifecycle("Combine"), .lifecycle("Journaling"),
        .product(name: "Benchmark", package: "swift-benchmark"),
      ]
    ),

    // MARK: Peers: one program each, so that a round can run them in turn

    .executableTarget(name: "closure-loop", dependencies: ["BenchmarkSupport"]),
    .executableTarget(
      name: "open-combine",
      dependencies: ["BenchmarkSupport", .lifecycle("Combine")]
    ),
    .executableTarget(
      name: "notification-center",
      dependencies: [
        "BenchmarkSupport", .lifecycle("Combine"),
        .product(name: "OpenCombineFoundation", package: "OpenCombine"),
      ]
    ),
    .executableTarget(name: "system-timers", dependencies: ["BenchmarkSupport"]),
    .executableTarget(name: "file-writes", dependencies: ["BenchmarkSupport"]),
    .executableTarget(
      name: "lifecycle-bus",
      dependencies: [
        "BenchmarkSupport", "SteppedClock", .lifecycle("Combine"), .lifecycle("Countdowns"),
        .lifecycle("FlightRecording"),
      ]
    ),
    .executableTarget(
      name: "compare",
      dependencies: [
        "BenchmarkSupport", .argumentParser, "closure-loop", "open-combine", "notification-center",
        "system-timers", "file-writes", "lifecycle-bus", .subprocess,
      ],
      resources: [.embedInCode("chart.gp")]
    ),

    // MARK: Counts

    .executableTarget(
      name: "small-client",
      dependencies: [.lifecycle(), .lifecycle("Combine")],
      // Debian's valgrind 3.19 gives up on the debug information that Swift writes.
      linkerSettings: [.unsafeFlags(["-Xlinker", "-S"])]
    ),
    .executableTarget(
      name: "check-counts",
      dependencies: [
        .argumentParser, "SteppedClock", .lifecycle(), .lifecycle("Combine"),
        .lifecycle("Countdowns"), .lifecycle("FlightRecording"), "small-client", .subprocess,
      ],
      linkerSettings: [.unsafeFlags(["-Xlinker", "-S"])]
    ),
  ],
  swiftLanguageModes: [.v6]
)

#if os(Linux)
  // It reads `/proc`.
  package.targets += [
    .target(name: "CHeapUse"),
    .executableTarget(
      name: "soak",
      dependencies: [
        .argumentParser, "CHeapUse", .lifecycle(), .lifecycle("Combine"), .lifecycle("Countdowns"),
        .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
      ]
    ),
    .testTarget(name: "SoakTests", dependencies: ["soak", .subprocess]),
  ]
#endif

extension Target.Dependency {
  static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
  static let subprocess = product(name: "Subprocess", package: "swift-subprocess")

  /// A library of the repository, by what its name has after "Lifecycle"; by default the core.
  static func lifecycle(_ name: String = "Core") -> Self {
    product(name: "Lifecycle\(name)", package: "swift-reactive-lifecycle")
  }
}
