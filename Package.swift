// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "swift-reactive-lifecycle",
  platforms: [
    .iOS(.v16), .macCatalyst(.v16), .macOS(.v13), .tvOS(.v16), .visionOS(.v1), .watchOS(.v9),
  ],
  products: [
    "ReactiveLifecycle", "LifecycleCore", "LifecycleCombine", "LifecycleCountdowns",
    "LifecycleJournaling", "LifecycleBackgroundWork", "LifecycleProcess", "LifecycleSystem",
    "LifecycleTerminal",
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
    .target(
      name: "LifecycleCore",
      dependencies: [.lifecycleCombine, .support, .dequeModule, .issueReporting]
    ),
    .target(
      name: "LifecycleProcess",
      dependencies: .core + [.shims, .dequeModule, .issueReporting]
    ),
    // The module of an app, which re-exports the core.
    .target(
      name: "ReactiveLifecycle",
      dependencies: .core + [.processOfPrograms, .issueReporting]
    ),
    .target(name: "LifecycleCountdowns", dependencies: .core + [.dequeModule, .heapModule]),
    .target(name: "LifecycleJournaling", dependencies: .core + [.issueReporting]),
    .target(
      name: "LifecycleBackgroundWork",
      dependencies: .app + [.processOfPrograms, .dequeModule]
    ),
    .target(name: "LifecycleSystem", dependencies: .core + [.process, .shims]),
    .target(name: "LifecycleTerminal", dependencies: .core + [.process]),
    .target(
      name: "LifecycleServices",
      dependencies: .core + [
        .process, .issueReporting, .serviceLifecycle, .logging, .metrics,
      ]
    ),
    .target(
      name: "LifecycleFlightRecording",
      dependencies: .core + [.dequeModule, .issueReporting]
    ),
    .target(
      name: "LifecycleTimelines",
      dependencies: .core + [.flightRecording],
      // In code, because a bundle needs Foundation.
      resources: [.embedInCode("Page/page.css"), .embedInCode("Page/page.js")]
    ),
    .target(
      name: "LifecycleTesting",
      dependencies: .core + [
        .backgroundWork, .countdowns, .flightRecording, .journaling, .customDump, .dequeModule,
        .heapModule, .issueReporting, .issueReportingTestSupportOfClients,
      ]
    ),
    // Not in LifecycleTesting: what links Testing must find it at launch.
    .target(
      name: "LifecycleTestingTraits",
      dependencies: .app + [
        .flightRecording, .lifecycleTesting, .timelines, .issueReporting,
      ]
    ),
  )
    + targets(
      in: "Examples",
      .target(name: "CJobControl"),
      .target(name: "JobControl", dependencies: ["CJobControl"]),
      .target(
        name: "ProgramReporting",
        dependencies: .app + [.countdowns, .journaling, .process, .argumentParser]
      ),
      // What the tour uses is a library beside its program: an executable can't link another one.
      .target(name: "RentalCountdown", dependencies: .app + [.countdowns, .programReporting]),
      .target(
        name: "VerificationCode",
        dependencies: .app + [.countdowns, .journaling, .programReporting]
      ),
      .target(name: "LoadMonitor", dependencies: .app),
      .target(
        name: "LocationReminder",
        dependencies: .app + [.backgroundWork, .programReporting],
        exclude: ["Tracks"]
      ),
      .target(name: "FeedRefresher", dependencies: .app + [.backgroundWork, .programReporting]),
      .executableTarget(name: "quick-start", dependencies: .app),
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
        dependencies: .program + [
          "CJobControl", .jobControl, .flightRecording, .process, .system, .terminal, .timelines,
        ]
      ),
      .executableTarget(
        name: "lifecycle-tour",
        dependencies: .program + [
          .backgroundWork, .countdowns, .flightRecording, .jobControl, .journaling, .process,
          .timelines, "LoadMonitor", "LocationReminder", "RentalCountdown", "VerificationCode",
        ]
      ),
    )
    + targets(
      in: "Examples/LifecycleSample.swiftpm",
      // The models of the sample app, which is a separate package, for their test.
      .target(
        name: "LifecycleSampleModels",
        dependencies: .app + [.backgroundWork, .countdowns, .flightRecording, .journaling]
      ),
    )
    + targets(
      in: "Tests",
      // Programs that tests run.
      .executableTarget(
        name: "lifecycle-probe",
        dependencies: .program + [
          .backgroundWork, .countdowns, .jobControl, .flightRecording, .journaling, .process,
          .system, .terminal, .lifecycleTesting, .testSupport,
        ]
      ),
      // What depends on the threads of a process links the core alone.
      .executableTarget(name: "thread-probe", dependencies: .core),
      // Does nothing without the trait.
      .executableTarget(
        name: "service-probe",
        dependencies: .core + [
          .jobControl, .process, .services, .serviceLifecycle, .unixSignals, .logging,
        ]
      ),
      // What the tutorial arrives at.
      .executableTarget(name: "BikeRental", dependencies: .app + [.countdowns]),

      .target(
        name: "TestSupport",
        dependencies: .core + [
          .flightRecording, .jobControl, .lifecycleTesting, .issueReporting,
          .issueReportingTestSupport,
        ]
      ),
      // A test target depends on what it imports, so that a change elsewhere does not rebuild it.
      .testTarget(
        name: "LifecycleCoreTests",
        dependencies: .test + [.backgroundWork, .jobControl, .system]
      ),
      .testTarget(
        name: "LifecycleCountdownsTests",
        dependencies: .test + [.countdowns, .journaling]
      ),
      .testTarget(
        name: "LifecycleJournalingTests",
        dependencies: .test + [.backgroundWork, .journaling]
      ),
      .testTarget(
        name: "LifecycleBackgroundWorkTests",
        dependencies: .test + [.backgroundWork]
      ),
      .testTarget(
        name: "ReactiveLifecycleTests",
        dependencies: .test + [.backgroundWork, .flightRecording, .reactiveLifecycle]
      ),
      .testTarget(
        name: "LifecycleProcessTests",
        dependencies: .test + [.countdowns, .jobControl, .journaling, .process, .shims]
      ),
      .testTarget(
        name: "LifecycleSystemTests",
        dependencies: .test + [.jobControl, .process, .system]
      ),
      .testTarget(
        name: "LifecycleTerminalTests",
        dependencies: .test + [.jobControl, .process, .terminal]
      ),
      .testTarget(
        name: "LifecycleServicesTests",
        dependencies: .test + [
          .backgroundWork, .jobControl, .process, .services, .system, .serviceLifecycle,
          .unixSignals, .logging, .inMemoryLogging, .metrics, .metricsTestKit,
        ]
      ),
      .testTarget(
        name: "LifecycleFlightRecordingTests",
        dependencies: .test + [.backgroundWork, .countdowns, .flightRecording, .jobControl]
      ),
      .testTarget(
        name: "LifecycleTimelinesTests",
        dependencies: .test + [.flightRecording, .timelines],
        exclude: ["Page/check-timeline"]
      ),
      .testTarget(
        name: "LifecycleTestingTests",
        dependencies: .test + [
          .backgroundWork, .countdowns, .flightRecording, .jobControl, .journaling,
          .lifecycleTestingTraits, .reactiveLifecycle,
        ],
        exclude: ["Replay/Recordings", "Script/__Snapshots__"]
      ),
      .testTarget(
        name: "DocumentationTests",
        dependencies: .test + [
          .backgroundWork, .countdowns, .flightRecording, .jobControl, .journaling, .process,
          .reactiveLifecycle, .system, .terminal, .lifecycleTestingTraits, .timelines,
          "BikeRental", "lifecycle-tour",
        ]
      ),
      .testTarget(
        name: "ExampleTests",
        dependencies: .test + .examples + [
          .backgroundWork, .flightRecording, .jobControl, .journaling, .reactiveLifecycle, .system,
          .timelines, "LifecycleSampleModels", "lifecycle-monitor", "lifecycle-tour",
          .argumentParser, .flyingSocks,
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
          exclude: ["Corpora", "CorpusTests.swift"]
        )
    ),
  swiftLanguageModes: [.v6]
)

// MARK: Dependencies

extension [Target.Dependency] {
  static let core: Self = [.lifecycleCombine, .support, .lifecycleCore]
  static let app = core + [.reactiveLifecycle]
  static let program = app + [.programReporting, .argumentParser]
  static let examples: Self = [
    .programReporting, "FeedRefresher", "LoadMonitor", "LocationReminder", "RentalCountdown",
    "VerificationCode",
  ]
  static let test = core + [.lifecycleTesting, .testSupport, .customDump, .issueReporting]
  static let fuzzed =
    test + examples + [
      .backgroundWork, .countdowns, .flightRecording, .jobControl, .journaling, .services, .system,
      .terminal, .timelines,
    ]
}

extension Target.Dependency {
  static let backgroundWork: Self = "LifecycleBackgroundWork"
  static let countdowns: Self = "LifecycleCountdowns"
  static let flightRecording: Self = "LifecycleFlightRecording"
  static let jobControl: Self = "JobControl"
  static let journaling: Self = "LifecycleJournaling"
  static let lifecycleCombine: Self = "LifecycleCombine"
  static let lifecycleCore: Self = "LifecycleCore"
  static let lifecycleTesting: Self = "LifecycleTesting"
  static let lifecycleTestingTraits: Self = "LifecycleTestingTraits"
  static let process: Self = "LifecycleProcess"
  /// Signals are the lifecycle of a program where there is no UIKit. `ApplicationBus` has the same
  /// condition.
  static let processOfPrograms: Self = .target(
    name: "LifecycleProcess",
    condition: .when(platforms: [.macOS] + withoutDarwin)
  )
  static let programReporting: Self = "ProgramReporting"
  static let reactiveLifecycle: Self = "ReactiveLifecycle"
  static let services: Self = "LifecycleServices"
  static let shims: Self = "CLifecycleShims"
  static let support: Self = "LifecycleSupport"
  static let system: Self = "LifecycleSystem"
  static let terminal: Self = "LifecycleTerminal"
  static let testSupport: Self = "TestSupport"
  static let timelines: Self = "LifecycleTimelines"

  static let argumentParser = product("ArgumentParser", of: "swift-argument-parser")
  static let customDump = product("CustomDump", of: "swift-custom-dump")
  static let dequeModule = product("DequeModule", of: "swift-collections")
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
    .when(platforms: withoutDarwin)
  )
  private static let withoutDarwin: [Platform] = [.linux, .android, .windows, .wasi, .openbsd]

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
    "LifecycleFlightRecordingTests": "Writer/Process", "LifecycleProcessTests": "Process",
    "LifecycleServicesTests": "Process", "LifecycleSystemTests": "Process",
    "LifecycleTerminalTests": "Session/Process", "TestSupport": "Probe",
    "LifecycleTimelinesTests": "Page/ChromiumTests.swift",
  ]
  package.targets.removeAll { linuxTargets.contains($0.name) }
  for target in package.targets { target.exclude += [linuxSources[target.name]].compactMap(\.self) }
#endif
