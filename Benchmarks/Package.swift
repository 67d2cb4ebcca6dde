// swift-tools-version: 6.3

import PackageDescription

let lifecycle: Target.Dependency = .product(
  name: "ReactiveLifecycle",
  package: "swift-reactive-lifecycle"
)
let countdowns: Target.Dependency = .product(
  name: "LifecycleCountdowns",
  package: "swift-reactive-lifecycle"
)
let flightRecording: Target.Dependency = .product(
  name: "LifecycleFlightRecording",
  package: "swift-reactive-lifecycle"
)
let journaling: Target.Dependency = .product(
  name: "LifecycleJournaling",
  package: "swift-reactive-lifecycle"
)
let combine: Target.Dependency = .product(
  name: "LifecycleCombine",
  package: "swift-reactive-lifecycle"
)
let backgroundWork: Target.Dependency = .product(
  name: "LifecycleBackgroundWork",
  package: "swift-reactive-lifecycle"
)
let timelines: Target.Dependency = .product(
  name: "LifecycleTimelines",
  package: "swift-reactive-lifecycle"
)
let issueReporting: Target.Dependency = .product(
  name: "IssueReporting",
  package: "xctest-dynamic-overlay"
)
let benchmark: Target.Dependency = .product(name: "Benchmark", package: "swift-benchmark")
let arguments: Target.Dependency = .product(
  name: "ArgumentParser",
  package: "swift-argument-parser"
)

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
    .target(name: "SteppedClock", dependencies: [lifecycle]),
    .target(name: "BenchmarkSupport", dependencies: [benchmark, combine, journaling, lifecycle]),

    // MARK: Peers: one program each, so that a round can run them in turn

    .executableTarget(name: "closure-loop", dependencies: ["BenchmarkSupport"]),
    .executableTarget(name: "open-combine", dependencies: ["BenchmarkSupport", combine]),
    .executableTarget(
      name: "notification-center",
      dependencies: [
        "BenchmarkSupport", combine,
        .product(name: "OpenCombineFoundation", package: "OpenCombine"),
      ]
    ),
    .executableTarget(name: "async-stream", dependencies: ["BenchmarkSupport"]),
    .executableTarget(name: "system-timers", dependencies: ["BenchmarkSupport"]),
    .executableTarget(name: "file-writes", dependencies: ["BenchmarkSupport"]),
    .executableTarget(
      name: "lifecycle-bus",
      dependencies: ["BenchmarkSupport", "SteppedClock", combine, countdowns, flightRecording]
    ),

    .executableTarget(
      name: "compare",
      dependencies: [
        "BenchmarkSupport", arguments, "closure-loop", "open-combine", "notification-center",
        "async-stream", "system-timers", "file-writes", "lifecycle-bus",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      resources: [.embedInCode("chart.gp")]
    ),

    // Run by hand: no test measures time.
    .executableTarget(
      name: "draw-timeline",
      dependencies: [flightRecording, lifecycle, timelines]
    ),

    .testTarget(name: "BenchmarkTests", dependencies: ["BenchmarkSupport", "compare"]),

    // MARK: Counts

    .target(name: "EventCounts", dependencies: [arguments]),
    .testTarget(name: "EventCountsTests", dependencies: ["EventCounts"]),
    .executableTarget(
      name: "count-events",
      dependencies: [
        arguments, backgroundWork, combine, countdowns, "EventCounts", flightRecording,
        "SteppedClock", lifecycle, timelines,
      ],
      // Debian's valgrind 3.19 gives up on the debug information that Swift writes.
      linkerSettings: [.unsafeFlags(["-Xlinker", "-S"])]
    ),
    .executableTarget(
      name: "small-client",
      dependencies: [combine, lifecycle],
      linkerSettings: [.unsafeFlags(["-Xlinker", "-S"])]
    ),
    .executableTarget(
      name: "check-counts",
      dependencies: [
        arguments, "count-events", "EventCounts", "small-client",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// MARK: What needs Linux

#if os(Linux)
  package.targets += [
    // It reads `/proc`. Its generator of random numbers is a symbolic link to that of the tests.
    .target(name: "CHeapUse"),
    .executableTarget(
      name: "soak",
      dependencies: [
        arguments, backgroundWork, "CHeapUse", combine, countdowns, flightRecording, issueReporting,
        journaling, lifecycle,
      ]
    ),
    .testTarget(
      name: "SoakTests",
      dependencies: ["soak", .product(name: "Subprocess", package: "swift-subprocess")]
    ),
    // The examples' session, terminal and shell, which are no product: symbolic links to them.
    .target(name: "CJobControl"),
    .target(name: "JobControl", dependencies: ["CJobControl"]),
    .target(name: "CSignalPeers"),
    .executableTarget(
      name: "signal-latency",
      dependencies: [
        arguments, lifecycle, "CSignalPeers", "JobControl",
        .product(name: "LifecycleSources", package: "swift-reactive-lifecycle"),
      ]
    ),
  ]
#endif

// Their tests see inside of them, also in the release build that is measured. No count includes them.
for target in package.targets where ["BenchmarkSupport", "compare"].contains(target.name) {
  target.swiftSettings = [.unsafeFlags(["-enable-testing"], .when(configuration: .release))]
}

// `.ci/run` sets this.
if Context.environment["LIFECYCLE_WARNINGS_AS_ERRORS"] != nil {
  for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-warnings-as-errors"])]
  }
}
