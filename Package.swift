// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "swift-reactive-lifecycle",
  platforms: [
    .iOS(.v16), .macCatalyst(.v16), .macOS(.v13), .tvOS(.v16), .visionOS(.v1), .watchOS(.v9),
  ],
  products: [
    "ReactiveLifecycle", "LifecycleCountdowns", "LifecycleJournaling", "LifecycleBackgroundWork",
    "LifecycleCombine", "LifecycleSources", "LifecycleSystem", "LifecycleTerminal",
    // Without the trait it has the unified log of Apple platforms alone.
    "LifecycleServices",
    "LifecycleFlightRecording", "LifecycleTimelines", "LifecycleTesting", "LifecycleTestingTraits",
  ].map { .library(name: $0, targets: [$0]) },
  traits: [
    .trait(
      name: "Services",
      description: "LifecycleServices: swift-service-lifecycle, swift-log, swift-metrics, systemd."
    )
  ],
  // Clients fetch what any product depends on, so also CustomDump, which only LifecycleTesting uses.
  // From Swift 6.4 on, xctest-dynamic-overlay brings swift-issue-reporting with the same products.
  dependencies: [
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
    .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.3.0"),
    .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.4.0"),

    // For the trait Services. Before 2.13, a group that is shut down before it runs throws.
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),

    // For the examples, the tests, and the documentation.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"),
  ],
  targets: targets(
    in: "Sources",
    .target(
      name: "LifecycleCombine",
      dependencies: [.openCombine],
      swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    // No product: what is inlined into other modules must be public in its own.
    .target(name: "CLifecycleAtomics"),
    .target(name: "LifecycleSupport", dependencies: ["CLifecycleAtomics"]),
    .target(name: "CLifecycleShims"),
    .target(name: "ReactiveLifecycle", dependencies: .base + [.dequeModule, .issueReporting]),
    .target(name: "LifecycleCountdowns", dependencies: .bus + [.dequeModule, .heapModule]),
    .target(name: "LifecycleJournaling", dependencies: .bus),
    .target(name: "LifecycleBackgroundWork", dependencies: .bus + [.dequeModule]),
    .target(
      name: "LifecycleSources",
      dependencies: .bus + [.backgroundWork, .shims, .dequeModule, .issueReporting]
    ),
    .target(name: "LifecycleSystem", dependencies: .bus + [.sources, .shims]),
    .target(name: "LifecycleTerminal", dependencies: .bus + [.sources, .shims]),
    .target(
      name: "LifecycleServices",
      dependencies: .bus + [
        .backgroundWork, .sources, .issueReporting, .serviceLifecycle, .logging, .metrics,
      ]
    ),
    .target(
      name: "LifecycleFlightRecording",
      dependencies: .bus + [.dequeModule, .issueReporting]
    ),
    .target(
      name: "LifecycleTimelines",
      dependencies: [.flightRecording, .reactiveLifecycle],
      // In code, because a bundle needs Foundation.
      resources: [.embedInCode("Page/page.css"), .embedInCode("Page/page.js")]
    ),
    .target(
      name: "LifecycleTesting",
      dependencies: .bus + [
        .backgroundWork, .countdowns, .flightRecording, .journaling, .customDump, .dequeModule,
        .heapModule, .issueReporting, .issueReportingTestSupportOfClients,
      ]
    ),
    // Not in LifecycleTesting: what links Testing must find it at launch.
    .target(
      name: "LifecycleTestingTraits",
      dependencies: .bus + [
        .flightRecording, .sources, .lifecycleTesting, .timelines, .issueReporting,
      ]
    ),
  )
    + targets(
      in: "Examples",
      .target(name: "CJobControl"),
      .target(name: "JobControl", dependencies: ["CJobControl"]),
      .target(
        name: "ProgramReporting",
        dependencies: .bus + [.countdowns, .journaling, .sources, .argumentParser]
      ),
      // What the tour uses is a library beside its program: an executable can't link another one.
      .target(name: "RentalCountdown", dependencies: .program + [.countdowns]),
      .target(name: "VerificationCode", dependencies: .program + [.countdowns, .journaling]),
      .target(name: "LoadMonitor", dependencies: .bus),
      .target(
        name: "LocationReminder",
        dependencies: .program + [.backgroundWork],
        exclude: ["Tracks"]
      ),
      .target(name: "FeedRefresher", dependencies: .program + [.backgroundWork]),
      .executableTarget(name: "quick-start", dependencies: .bus + [.sources]),
      .executableTarget(name: "rental-countdown", dependencies: .program + ["RentalCountdown"]),
      .executableTarget(
        name: "verification-code",
        dependencies: .program + [.journaling, "VerificationCode"]
      ),
      .executableTarget(name: "load-monitor", dependencies: .program + ["LoadMonitor"]),
      .executableTarget(
        name: "location-reminder",
        dependencies: .program + [.backgroundWork, "LocationReminder"]
      ),
      .executableTarget(
        name: "feed-refresher",
        dependencies: .program + [.backgroundWork, "FeedRefresher"]
      ),
      .executableTarget(
        name: "lifecycle-monitor",
        dependencies: .program + [.jobControl, .flightRecording, .system, .terminal, .timelines]
      ),
      .executableTarget(
        name: "lifecycle-tour",
        dependencies: .program + [
          .backgroundWork, .countdowns, .flightRecording, .jobControl, .journaling, .timelines,
          "LoadMonitor", "LocationReminder", "RentalCountdown", "VerificationCode",
        ]
      ),
    )
    + targets(
      in: "Examples/LifecycleSample.swiftpm",
      // The models of the sample app, which is a separate package, for their test.
      .target(
        name: "LifecycleSampleModels",
        dependencies: .bus + [.backgroundWork, .countdowns, .flightRecording, .journaling]
      ),
    )
    + targets(
      in: "Tests",
      // Programs that tests run.
      .executableTarget(
        name: "lifecycle-probe",
        dependencies: .program + [
          .backgroundWork, .countdowns, .jobControl, .flightRecording, .journaling, .system,
          .terminal, .lifecycleTesting, .testSupport,
        ]
      ),
      // What depends on the threads of a process links the core alone.
      .executableTarget(name: "thread-probe", dependencies: [.support, .reactiveLifecycle]),
      // Does nothing without the trait.
      .executableTarget(
        name: "service-probe",
        dependencies: .bus + [
          .jobControl, .services, .sources, .serviceLifecycle, .unixSignals, .logging,
        ]
      ),
      // What the tutorial arrives at.
      .executableTarget(name: "BikeRental", dependencies: .bus + [.countdowns, .sources]),

      .target(
        name: "TestSupport",
        dependencies: .bus + [.flightRecording, .jobControl, .lifecycleTesting, .issueReporting]
      ),
      .testTarget(name: "ReactiveLifecycleTests", dependencies: .test),
      .testTarget(name: "LifecycleCountdownsTests", dependencies: .test),
      .testTarget(name: "LifecycleJournalingTests", dependencies: .test),
      .testTarget(name: "LifecycleBackgroundWorkTests", dependencies: .test),
      .testTarget(name: "LifecycleSourcesTests", dependencies: .test + [.shims]),
      .testTarget(name: "LifecycleSystemTests", dependencies: .test),
      .testTarget(name: "LifecycleTerminalTests", dependencies: .test),
      .testTarget(
        name: "LifecycleServicesTests",
        dependencies: .test + [
          .services, .serviceLifecycle, .unixSignals, .logging, .inMemoryLogging, .metrics,
          .metricsTestKit,
        ]
      ),
      .testTarget(name: "LifecycleFlightRecordingTests", dependencies: .test),
      .testTarget(
        name: "LifecycleTimelinesTests",
        dependencies: .test,
        exclude: ["Page/check-timeline"]
      ),
      .testTarget(
        name: "LifecycleTestingTests",
        dependencies: .test,
        exclude: ["Replay/Recordings", "Script/__Snapshots__", "Snapshots/__Snapshots__"]
      ),
      .testTarget(
        name: "DocumentationTests",
        dependencies: .test + ["BikeRental", "lifecycle-tour"]
      ),
      .testTarget(
        name: "ExampleTests",
        dependencies: .test + .examples + [
          "LifecycleSampleModels", "lifecycle-monitor", "lifecycle-tour", .argumentParser,
          .flyingFox, .flyingSocks,
        ],
        exclude: ["RentalCountdown/__Snapshots__", "VerificationCode/__Snapshots__"]
      ),
      // `.ci/fuzz` builds the program that has libFuzzer try inputs on the parsers.
      Context.environment["LIFECYCLE_FUZZING"] == nil
        ? .testTarget(
          name: "FuzzingTests",
          dependencies: .fuzzed,
          exclude: ["Corpora", "Fuzzer"]
        )
        : .executableTarget(
          name: "FuzzingTests",
          dependencies: .fuzzed,
          exclude: ["Corpora", "CorpusTests.swift", "StoredFormTests.swift"]
        )
    ),
  swiftLanguageModes: [.v6]
)

// MARK: Dependencies

extension [Target.Dependency] {
  static let base: Self = [.lifecycleCombine, .support]
  static let bus = base + [.reactiveLifecycle]
  static let program = bus + [.sources, .programReporting, .argumentParser]
  static let examples: Self = [
    .programReporting, "FeedRefresher", "LoadMonitor", "LocationReminder", "RentalCountdown",
    "VerificationCode",
  ]
  static let test =
    bus + [
      .backgroundWork, .countdowns, .flightRecording, .journaling, .sources, .system, .terminal,
      .timelines, .lifecycleTesting, .lifecycleTestingTraits, .testSupport, .jobControl,
      .customDump, .issueReporting, .issueReportingTestSupport,
    ]
  static let fuzzed = test + examples + [.services]
}

extension Target.Dependency {
  static let backgroundWork: Self = "LifecycleBackgroundWork"
  static let countdowns: Self = "LifecycleCountdowns"
  static let flightRecording: Self = "LifecycleFlightRecording"
  static let jobControl: Self = "JobControl"
  static let journaling: Self = "LifecycleJournaling"
  static let lifecycleCombine: Self = "LifecycleCombine"
  static let lifecycleTesting: Self = "LifecycleTesting"
  static let lifecycleTestingTraits: Self = "LifecycleTestingTraits"
  static let programReporting: Self = "ProgramReporting"
  static let reactiveLifecycle: Self = "ReactiveLifecycle"
  static let services: Self = "LifecycleServices"
  static let shims: Self = "CLifecycleShims"
  static let sources: Self = "LifecycleSources"
  static let support: Self = "LifecycleSupport"
  static let system: Self = "LifecycleSystem"
  static let terminal: Self = "LifecycleTerminal"
  static let testSupport: Self = "TestSupport"
  static let timelines: Self = "LifecycleTimelines"

  static let argumentParser = product("ArgumentParser", of: "swift-argument-parser")
  static let customDump = product("CustomDump", of: "swift-custom-dump")
  static let dequeModule = product("DequeModule", of: "swift-collections")
  static let flyingFox = product("FlyingFox", of: "FlyingFox")
  static let flyingSocks = product("FlyingSocks", of: "FlyingFox")
  static let heapModule = product("HeapModule", of: "swift-collections")
  static let issueReporting = product("IssueReporting", of: "xctest-dynamic-overlay")
  static let issueReportingTestSupport = product(
    "IssueReportingTestSupport",
    of: "xctest-dynamic-overlay"
  )
  /// Without it a reported issue fails no test there.
  static let issueReportingTestSupportOfClients = product(
    "IssueReportingTestSupport",
    of: "xctest-dynamic-overlay",
    .when(platforms: [.linux, .android])
  )
  /// Not on Apple's platforms: they have Combine, and it does not build for all of them.
  static let openCombine = product(
    "OpenCombine",
    of: "OpenCombine",
    .when(platforms: [.linux, .android, .windows, .wasi, .openbsd])
  )

  private static let trait = TargetDependencyCondition.when(traits: ["Services"])
  static let serviceLifecycle = product("ServiceLifecycle", of: "swift-service-lifecycle", trait)
  static let unixSignals = product("UnixSignals", of: "swift-service-lifecycle", trait)
  static let logging = product("Logging", of: "swift-log", trait)
  static let inMemoryLogging = product("InMemoryLogging", of: "swift-log", trait)
  static let metrics = product("Metrics", of: "swift-metrics", trait)
  static let metricsTestKit = product("MetricsTestKit", of: "swift-metrics", trait)

  private static func product(
    _ name: String,
    of package: String,
    _ condition: TargetDependencyCondition? = nil
  ) -> Self {
    product(name: name, package: package, condition: condition)
  }
}

/// Targets, each in a folder of its name.
func targets(in path: String, _ targets: Target...) -> [Target] {
  for target in targets { target.path = "\(path)/\(target.name)" }
  return targets
}

// Not NonisolatedNonsendingByDefault: what runs off the caller's actor, such as the jobs of a
// DeferredWorkQueue and ManualClock's sleepers, would run on it.
// https://github.com/swiftlang/swift-evolution/blob/main/proposals/0461-async-function-isolation.md
for target in package.targets {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("ImmutableWeakCaptures"),
      .enableUpcomingFeature("InferIsolatedConformances"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// On Linux a resource adds a bundle and Foundation to every client.
for target in package.targets
where ["LifecycleFlightRecording", "LifecycleJournaling"].contains(target.name) {
  #if os(Linux)
    target.exclude = ["PrivacyInfo.xcprivacy"]
  #else
    target.resources = [.copy("PrivacyInfo.xcprivacy")]
  #endif
}

#if !os(Linux)
  // What looks at processes by way of /proc or limits them, and what runs programs that do.
  let linuxTargets: Set = ["ExampleTests", "LifecycleSampleModels", "lifecycle-probe"]
  let linuxSources = [
    "LifecycleFlightRecordingTests": "Writer/Process", "LifecycleSourcesTests": "Process",
    "LifecycleServicesTests": "Process", "LifecycleSystemTests": "Process",
    "LifecycleTerminalTests": "Session/Process", "TestSupport": "Probe",
    "LifecycleTimelinesTests": "Page/ChromiumTests.swift",
  ]
  package.targets.removeAll { linuxTargets.contains($0.name) }
  for target in package.targets { target.exclude += [linuxSources[target.name]].compactMap(\.self) }
#endif
