// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "swift-reactive-lifecycle",
  platforms: [
    .iOS(.v18), .macCatalyst(.v18), .macOS(.v15), .tvOS(.v18), .visionOS(.v2), .watchOS(.v11),
  ],
  products: [
    .library(name: "ReactiveLifecycle", targets: ["ReactiveLifecycle"]),
    .library(name: "LifecycleCountdowns", targets: ["LifecycleCountdowns"]),
    .library(name: "LifecycleJournaling", targets: ["LifecycleJournaling"]),
    .library(name: "LifecycleBackgroundWork", targets: ["LifecycleBackgroundWork"]),
    .library(name: "LifecycleCombine", targets: ["LifecycleCombine"]),
    .library(name: "LifecycleSources", targets: ["LifecycleSources"]),
    .library(name: "LifecycleSystem", targets: ["LifecycleSystem"]),
    .library(name: "LifecycleTerminal", targets: ["LifecycleTerminal"]),
    // Without the trait it has the unified log of Apple platforms alone.
    .library(name: "LifecycleServices", targets: ["LifecycleServices"]),
    .library(name: "LifecycleFlightRecording", targets: ["LifecycleFlightRecording"]),
    .library(name: "LifecycleTimelines", targets: ["LifecycleTimelines"]),
    .library(name: "LifecycleTesting", targets: ["LifecycleTesting"]),
    .library(name: "LifecycleTestingTraits", targets: ["LifecycleTestingTraits"]),
  ],
  traits: [
    .trait(
      name: "Services",
      description: "LifecycleServices: swift-service-lifecycle, swift-log, swift-metrics, systemd."
    )
  ],
  dependencies: [
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
    .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.3.0"),
    .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    // For the trait Services alone. Clients that do not enable it do not fetch them.
    // In 2.11 and before, a group that is shut down before it runs throws.
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    // For tests alone: the server of the feeds.
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: folder(
    "Sources",
    .target(
      name: "LifecycleCombine",
      dependencies: [.openCombine],
      swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    // No product: what is inlined into other modules must be public in its own.
    .target(name: "LifecycleSupport"),
    .target(
      name: "ReactiveLifecycle",
      dependencies: [.lifecycleCombine, .support, .dequeModule, .issueReporting]
    ),
    .target(
      name: "LifecycleCountdowns",
      dependencies: [
        .lifecycleCombine, .support, .reactiveLifecycle, .dequeModule, .heapModule,
      ]
    ),
    .target(name: "LifecycleJournaling", dependencies: [.support, .reactiveLifecycle]),
    .target(
      name: "LifecycleBackgroundWork",
      dependencies: [.lifecycleCombine, .support, .reactiveLifecycle, .dequeModule]
    ),
    .target(name: "CLifecycleShims"),
    .target(
      name: "LifecycleSources",
      dependencies: [
        .backgroundWork, .support, .reactiveLifecycle, "CLifecycleShims", .dequeModule,
        .issueReporting,
      ]
    ),
    .target(
      name: "LifecycleSystem",
      dependencies: [.lifecycleSources, .support, .reactiveLifecycle, "CLifecycleShims"]
    ),
    .target(
      name: "LifecycleTerminal",
      dependencies: [.lifecycleSources, .support, .reactiveLifecycle, "CLifecycleShims"]
    ),
    .target(
      name: "LifecycleServices",
      dependencies: [
        .backgroundWork, .lifecycleCombine, .lifecycleSources, .support, .reactiveLifecycle,
        .issueReporting, .serviceLifecycle, .logging, .metrics,
      ]
    ),
    .target(
      name: "LifecycleFlightRecording",
      dependencies: [.support, .reactiveLifecycle, .dequeModule, .issueReporting]
    ),
    .target(
      name: "LifecycleTimelines",
      dependencies: [.flightRecording, .reactiveLifecycle]
    ),
    .target(
      name: "LifecycleTesting",
      dependencies: [
        .backgroundWork, .lifecycleCombine, .countdowns, .flightRecording, .journaling, .support,
        .reactiveLifecycle,
        .customDump, .dequeModule, .heapModule, .issueReporting,
        .issueReportingTestSupportOfClients,
      ]
    ),
    // Not in LifecycleTesting: what links Testing must find it at launch.
    .target(
      name: "LifecycleTestingTraits",
      dependencies: [
        .flightRecording, .lifecycleSources, .lifecycleTesting, .support, .timelines,
        .reactiveLifecycle, .issueReporting,
      ]
    )
  )
    + folder(
      "Examples",
      .executableTarget(
        name: "quick-start",
        dependencies: [.lifecycleSources, .reactiveLifecycle]
      ),
      .target(name: "CJobControl"),
      .target(name: "JobControl", dependencies: ["CJobControl"]),
      .target(
        name: "ProgramReporting",
        dependencies: [
          .lifecycleCombine, .countdowns, .journaling, .lifecycleSources, .reactiveLifecycle,
          .argumentParser,
        ]
      ),
      .executableTarget(
        name: "lifecycle-monitor",
        dependencies: [
          .jobControl, .flightRecording, .lifecycleSources, .lifecycleSystem, .lifecycleTerminal,
          .timelines, .programReporting, .support, .reactiveLifecycle, .argumentParser,
        ]
      ),
      // What the tour uses is a library beside its program: an executable can't link another one.
      .target(
        name: "RentalCountdown",
        dependencies: [.countdowns, .programReporting, .reactiveLifecycle]
      ),
      .executableTarget(
        name: "rental-countdown",
        dependencies: [.programReporting, "RentalCountdown", .argumentParser]
      ),
      .target(
        name: "VerificationCode",
        dependencies: [.support, .countdowns, .journaling, .programReporting, .reactiveLifecycle]
      ),
      .executableTarget(
        name: "verification-code",
        dependencies: [
          .journaling, .programReporting, .reactiveLifecycle, "VerificationCode", .argumentParser,
        ]
      ),
      .target(name: "LoadMonitor", dependencies: [.lifecycleCombine, .reactiveLifecycle]),
      .executableTarget(
        name: "load-monitor",
        dependencies: [.lifecycleSources, "LoadMonitor", .programReporting, .argumentParser]
      ),
      .target(
        name: "LocationReminder",
        dependencies: [
          .backgroundWork, .lifecycleCombine, .lifecycleSources, .programReporting,
          .reactiveLifecycle,
        ],
        exclude: ["Tracks"]
      ),
      .executableTarget(
        name: "location-reminder",
        dependencies: [
          .backgroundWork, "LocationReminder", .programReporting, .reactiveLifecycle,
          .argumentParser,
        ]
      ),
      .target(
        name: "FeedRefresher",
        dependencies: [
          .support,
          .backgroundWork, .lifecycleCombine, .lifecycleSources, .programReporting,
          .reactiveLifecycle,
        ]
      ),
      .executableTarget(
        name: "feed-refresher",
        dependencies: [
          .backgroundWork, "FeedRefresher", .programReporting, .argumentParser,
        ]
      ),
      .executableTarget(
        name: "lifecycle-tour",
        dependencies: [
          .support,
          .backgroundWork, .jobControl, .flightRecording, .lifecycleSources, .timelines,
          "LoadMonitor", "LocationReminder",
          .programReporting, .reactiveLifecycle, "RentalCountdown", "VerificationCode",
          .argumentParser,
        ]
      )
    )
    + folder(
      "Tests",
      .target(
        name: "TestSupport",
        dependencies: [
          .flightRecording, .jobControl, .lifecycleCombine, .lifecycleTesting, .support,
          .reactiveLifecycle,
          .issueReporting,
        ]
      ),
      // Moves the clock in tests.
      .target(name: "CClockShift"),
      .target(name: "DependenciesStandIn", dependencies: [.issueReporting]),
      // Programs that tests run. What depends on the threads of a process links the core alone.
      .executableTarget(
        name: "lifecycle-probe",
        dependencies: [
          .backgroundWork, .jobControl, .flightRecording, .lifecycleCombine, .journaling,
          .lifecycleSources, .lifecycleSystem, .lifecycleTerminal, .lifecycleTesting, .support,
          .reactiveLifecycle,
          .testSupport,
          .argumentParser,
        ]
      ),
      .executableTarget(name: "thread-probe", dependencies: [.support, .reactiveLifecycle]),
      // Does nothing without the trait.
      .executableTarget(
        name: "service-probe",
        dependencies: [
          .jobControl, .lifecycleCombine, .lifecycleServices, .lifecycleSources, .support,
          .reactiveLifecycle, .serviceLifecycle, .unixSignals, .logging,
        ]
      ),
      // What the tutorial arrives at.
      .executableTarget(
        name: "bike-rental",
        dependencies: [.lifecycleCombine, .countdowns, .lifecycleSources, .reactiveLifecycle]
      ),
      .testTarget(
        name: "ReactiveLifecycleTests",
        dependencies: [
          .backgroundWork, .jobControl, .lifecycleCombine, .lifecycleTesting, .support,
          .reactiveLifecycle, .testSupport, "thread-probe", .customDump,
          .issueReporting, .issueReportingTestSupport,
        ]
      ),
      .testTarget(
        name: "LifecycleCountdownsTests",
        dependencies: [
          .lifecycleCombine, .countdowns, .lifecycleTesting, .support, .reactiveLifecycle,
          .testSupport, .customDump, .issueReporting, .issueReportingTestSupport,
        ]
      ),
      .testTarget(
        name: "LifecycleJournalingTests",
        dependencies: [
          .journaling, .lifecycleTesting, .support, .reactiveLifecycle, .testSupport, .customDump,
          .issueReporting, .issueReportingTestSupport,
        ]
      ),
      .testTarget(
        name: "LifecycleBackgroundWorkTests",
        dependencies: [
          .backgroundWork, .lifecycleCombine, .lifecycleTesting, .support, .reactiveLifecycle,
          .testSupport, .customDump, .issueReportingTestSupport,
        ]
      ),
      .testTarget(
        name: "LifecycleSourcesTests",
        dependencies: [
          .backgroundWork, .flightRecording, .jobControl, .lifecycleCombine, .journaling,
          "lifecycle-probe", .lifecycleSources, .lifecycleTesting, .support, .reactiveLifecycle,
          .testSupport, .customDump, .issueReportingTestSupport,
        ]
      ),
      .testTarget(
        name: "LifecycleSystemTests",
        dependencies: [
          "CClockShift", .jobControl, "lifecycle-probe", .lifecycleSources, .lifecycleSystem,
          .lifecycleTesting, .support, .reactiveLifecycle, .testSupport, .customDump,
        ]
      ),
      .testTarget(
        name: "LifecycleTerminalTests",
        dependencies: [
          .jobControl, "lifecycle-probe", .lifecycleSources, .lifecycleTerminal,
          .lifecycleTesting, .support, .reactiveLifecycle, .testSupport, .customDump,
        ]
      ),
      .testTarget(
        name: "LifecycleServicesTests",
        dependencies: [
          .backgroundWork, .jobControl, .lifecycleServices, .lifecycleSources, .lifecycleSystem,
          .lifecycleTesting, .support, .reactiveLifecycle, "service-probe", .testSupport,
          .customDump, .issueReportingTestSupport, .serviceLifecycle, .unixSignals, .logging,
          .inMemoryLogging, .metrics, .metricsTestKit,
        ]
      ),
      .testTarget(
        name: "LifecycleFlightRecordingTests",
        dependencies: [
          .backgroundWork, .jobControl, .countdowns, "lifecycle-probe", .flightRecording,
          .lifecycleTesting, .support, .reactiveLifecycle, .testSupport, .customDump,
          .issueReportingTestSupport,
        ]
      ),
      .testTarget(
        name: "LifecycleTimelinesTests",
        dependencies: [
          .flightRecording, .lifecycleTesting, .timelines, .support, .reactiveLifecycle,
          .testSupport, .customDump,
        ]
      ),
      .testTarget(
        name: "LifecycleTestingTests",
        dependencies: [
          .backgroundWork, .jobControl, .lifecycleCombine, .countdowns, .flightRecording,
          .journaling, .lifecycleSources, .lifecycleTesting, .lifecycleTestingTraits, .support,
          .reactiveLifecycle, .testSupport, .customDump, .issueReporting,
        ],
        exclude: ["Replay/Recordings", "Script/__Snapshots__", "Snapshots/__Snapshots__"]
      ),
      .testTarget(
        name: "FuzzingTests",
        dependencies: [
          .backgroundWork, .countdowns, "FeedRefresher", .flightRecording, .jobControl, .journaling,
          .lifecycleCombine, .lifecycleServices, .lifecycleSystem, .lifecycleTerminal,
          .lifecycleTesting, "LocationReminder", .programReporting, .support, .reactiveLifecycle,
          .testSupport, .timelines, .customDump,
        ],
        exclude: ["Corpora", "Fuzzer"]
      ),
      .testTarget(
        name: "DocumentationTests",
        dependencies: [
          .backgroundWork, .jobControl, .lifecycleCombine, .countdowns, .journaling,
          .flightRecording, .lifecycleSources, .lifecycleSystem, .lifecycleTerminal,
          .lifecycleTesting, .lifecycleTestingTraits, .timelines, "bike-rental",
          "DependenciesStandIn", "lifecycle-tour",
          "quick-start", .support, .reactiveLifecycle, .testSupport, .customDump,
        ],
        exclude: ["Samples/__Snapshots__"]
      ),
      .testTarget(
        name: "ExampleTests",
        dependencies: [
          .backgroundWork, "FeedRefresher", "feed-refresher", .jobControl, .lifecycleCombine,
          .countdowns,
          .journaling, .support, "lifecycle-probe", .lifecycleSources, .lifecycleTesting,
          .flightRecording, "lifecycle-monitor", .timelines,
          "lifecycle-tour",
          "LoadMonitor", "load-monitor",
          "LocationReminder", "location-reminder", .programReporting, "quick-start",
          .reactiveLifecycle,
          "RentalCountdown", "rental-countdown", .testSupport, "VerificationCode",
          "verification-code", .customDump, .flyingFox, .flyingSocks,
        ],
        exclude: [
          "FeedRefresher/Fixtures", "RentalCountdown/__Snapshots__",
          "VerificationCode/__Snapshots__",
        ]
      )
    ),
  swiftLanguageModes: [.v6]
)

extension Target.Dependency {
  static let backgroundWork: Self = "LifecycleBackgroundWork"
  static let countdowns: Self = "LifecycleCountdowns"
  static let flightRecording: Self = "LifecycleFlightRecording"
  static let jobControl: Self = "JobControl"
  static let journaling: Self = "LifecycleJournaling"
  static let lifecycleCombine: Self = "LifecycleCombine"
  static let lifecycleSources: Self = "LifecycleSources"
  static let lifecycleServices: Self = "LifecycleServices"
  static let lifecycleSystem: Self = "LifecycleSystem"
  static let lifecycleTerminal: Self = "LifecycleTerminal"
  static let lifecycleTesting: Self = "LifecycleTesting"
  static let lifecycleTestingTraits: Self = "LifecycleTestingTraits"
  static let programReporting: Self = "ProgramReporting"
  static let reactiveLifecycle: Self = "ReactiveLifecycle"
  static let support: Self = "LifecycleSupport"
  static let testSupport: Self = "TestSupport"
  static let timelines: Self = "LifecycleTimelines"

  static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
  static let customDump = product(name: "CustomDump", package: "swift-custom-dump")
  static let dequeModule = product(name: "DequeModule", package: "swift-collections")
  static let flyingFox = product(name: "FlyingFox", package: "FlyingFox")
  static let flyingSocks = product(name: "FlyingSocks", package: "FlyingFox")
  static let heapModule = product(name: "HeapModule", package: "swift-collections")
  static let issueReporting = product(name: "IssueReporting", package: "xctest-dynamic-overlay")
  static let issueReportingTestSupport = issueReportingTestSupport(condition: nil)

  /// Without it a reported issue fails no test there.
  static let issueReportingTestSupportOfClients = issueReportingTestSupport(
    condition: .when(platforms: [.linux, .android])
  )

  /// Not on Apple's platforms: they have Combine, and it does not build for all of them.
  static let openCombine = product(
    name: "OpenCombine",
    package: "OpenCombine",
    condition: .when(platforms: [.linux, .android, .windows, .wasi, .openbsd])
  )

  static let serviceLifecycle = service("ServiceLifecycle", "swift-service-lifecycle")
  static let unixSignals = service("UnixSignals", "swift-service-lifecycle")
  static let logging = service("Logging", "swift-log")
  static let inMemoryLogging = service("InMemoryLogging", "swift-log")
  static let metrics = service("Metrics", "swift-metrics")
  static let metricsTestKit = service("MetricsTestKit", "swift-metrics")

  /// With the trait alone: otherwise no client fetches the package.
  private static func service(_ name: String, _ package: String) -> Self {
    product(name: name, package: package, condition: .when(traits: ["Services"]))
  }

  private static func issueReportingTestSupport(
    condition: TargetDependencyCondition?
  ) -> Self {
    product(
      name: "IssueReportingTestSupport",
      package: "xctest-dynamic-overlay",
      condition: condition
    )
  }
}

/// The targets, each in a folder of its name.
func folder(_ path: String, _ targets: Target...) -> [Target] {
  for target in targets { target.path = "\(path)/\(target.name)" }
  return targets
}

// Not NonisolatedNonsendingByDefault: what runs off the caller's actor, such as the jobs of a
// DeferredWorkQueue and ManualClock's sleepers, would run on it.
// https://github.com/swiftlang/swift-evolution/blob/main/proposals/0461-async-function-isolation.md
for target in package.targets {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
      .enableUpcomingFeature("ExistentialAny"),
      // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0481-weak-let.md
      .enableUpcomingFeature("ImmutableWeakCaptures"),
      // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0470-isolated-conformances.md
      .enableUpcomingFeature("InferIsolatedConformances"),
      // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
      .enableUpcomingFeature("InternalImportsByDefault"),
      // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
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
  let linuxTargets: Set = ["CClockShift", "lifecycle-probe"]
  let linuxSources = [
    "ExampleTests": [
      "FeedRefresher/Process", "JobControl", "LifecycleTour", "LoadMonitor/Process",
      "LifecycleMonitor/CommandLifeMachineTests.swift", "LifecycleMonitor/Process",
      "LocationReminder/Process", "Readme", "RentalCountdown/Process", "VerificationCode/Process",
    ],
    "LifecycleFlightRecordingTests": ["Writer/Process"],
    "LifecycleSourcesTests": [
      "Application/ApplicationBusTests.swift", "Process/BashTests.swift",
      "Process/CoexistenceTests.swift", "Process/DeadlineTests.swift",
      "Process/DisconnectTests.swift", "Process/EndingTests.swift",
      "Process/ExitRequestTests.swift",
      "Process/InheritedDispositionTests.swift",
      "Process/JournalKillTests.swift", "Process/JournalProcessTests.swift",
      "Process/ProcessTaskTests.swift",
      "Process/ProcessTests.swift", "Process/ProcessThreadTests.swift",
      "Process/RivalPartyTests.swift", "Process/SeveralConnectionsTests.swift",
      "Process/SignalChoiceTests.swift",
      "Process/StayProbe.swift", "Process/StayTests.swift",
      "Process/StopAndContinueTests.swift", "Process/TerminalTests.swift",
      "Process/TerminationTests.swift", "Process/UnlockedFile.swift", "Process/WatchTests.swift",
    ],
    "LifecycleServicesTests": [
      "Services/ServiceProcessTests.swift", "Systemd/DatagramSocket.swift",
      "Systemd/SystemdTests.swift", "Systemd/SystemdTests+Watchdog.swift",
    ],
    "LifecycleSystemTests": ["Process", "Support"],
    "LifecycleTerminalTests": ["Session/Process"],
    "LifecycleTimelinesTests": ["Page/ChromiumTests.swift"],
    "TestSupport": ["Probe"],
  ]
  package.targets.removeAll { linuxTargets.contains($0.name) }
  for target in package.targets {
    target.exclude += linuxSources[target.name] ?? []
    target.dependencies.removeAll {
      if case .byNameItem(let name, _) = $0 { linuxTargets.contains(name) } else { false }
    }
  }
#endif

// `.ci/documentation` sets the first, the Swift Package Index the others; clients need no plugin.
// The index adds the plugin only to manifests that do not have its URL.
let documentationVariables = ["LIFECYCLE_DOCUMENTATION", "SPI_GENERATE_DOCS", "SPI_BUILD"]
if documentationVariables.contains(where: { Context.environment[$0] != nil }) {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0")
  )
}

// `.ci/sanitize` sets this to test the libraries alone. The fuzz targets stay: one of them needs the
// trait of these builds.
let librariesOnly = Context.environment["LIFECYCLE_LIBRARIES_ONLY"] != nil
if librariesOnly {
  let others = [
    "DocumentationTests", "ExampleTests",
    // What the suites that stay do not use.
    "LoadMonitor", "RentalCountdown", "VerificationCode", "bike-rental",
  ]
  package.targets.removeAll { target in
    others.contains(target.name)
      || target.type == .executable && target.path?.hasPrefix("Examples/") == true
  }
}

// `.ci/run` sets this to the target of tests that it builds with the trait: that and the libraries stay,
// with what they depend on. Targets come after their dependencies; where one does not, the package manager
// says what is missing.
if let onlyTests = Context.environment["LIFECYCLE_ONLY_TESTS"] {
  var kept: Set<String> = []
  for target in package.targets.reversed()
  where kept.contains(target.name) || target.name == onlyTests
    || target.path?.hasPrefix("Sources/") == true
  {
    kept.insert(target.name)
    for case .byNameItem(let name, _) in target.dependencies { kept.insert(name) }
  }
  package.targets.removeAll { !kept.contains($0.name) }
}

// `.ci/fuzz` sets this, to "optimized" or not.
let fuzzing = Context.environment["LIFECYCLE_FUZZING"]
if fuzzing != nil,
  let replays = package.targets.first(where: { $0.name == "FuzzingTests" })
{
  let fuzzer = Target.executableTarget(
    name: "lifecycle-fuzz",
    dependencies: replays.dependencies,
    path: replays.path,
    exclude: ["Corpora", "CorpusTests.swift", "StoredFormTests.swift"],
    swiftSettings: replays.swiftSettings
  )
  package.targets.removeAll { $0.isTest || $0.type == .executable }
  package.targets.append(fuzzer)
  // Of this package alone: what others wrote is neither searched nor checked, and the example server's
  // build has the same modules of it.
  for target in package.targets {
    target.swiftSettings?.append(.unsafeFlags(["-sanitize=fuzzer,address"]))
    target.cSettings = [.unsafeFlags(["-fsanitize=address"])]
  }
  fuzzer.linkerSettings = [.unsafeFlags(["-sanitize=address"])]
}

/// On one thread, the index of a debug build, in which XCTest's tests are looked up, has no place for a
/// module's files.
let wholeModule = ["-wmo", "-num-threads", "2"]

// `.ci/sanitize` and `.ci/fuzz` build in debug. Under the former, this optimizes the libraries that
// programs run threads in: optimizing the rest takes longer than it saves. When fuzzing for long, it
// optimizes every target, as parsers are everywhere. The packages of others are never optimized.
let optimizesAll = fuzzing == "optimized"
if optimizesAll || librariesOnly {
  for target in package.targets {
    let hasThreads =
      target.path?.hasPrefix("Sources/") == true
      && !["LifecycleTesting", "LifecycleTestingTraits", "LifecycleTimelines"].contains(target.name)
    guard optimizesAll || hasThreads || target.name == "thread-probe" else { continue }
    target.swiftSettings?.append(
      .unsafeFlags(["-O"] + wholeModule, .when(configuration: .debug))
    )
    if target.name == "CLifecycleShims" {
      target.cSettings =
        (target.cSettings ?? []) + [.unsafeFlags(["-O2"], .when(configuration: .debug))]
    }
  }
}

// `.ci/run`, `.ci/sanitize` and `.ci/coverage` set this; a client's build must not fail for a new
// compiler's warnings.
if Context.environment["LIFECYCLE_WARNINGS_AS_ERRORS"] != nil {
  for target in package.targets {
    target.swiftSettings?.append(.treatAllWarnings(as: .error))
    // Debug information takes a sixth of the compiler's time, and only adds lines to a backtrace. The
    // package manager's `-g` comes after these settings, so the frontend has to be told.
    target.swiftSettings?.append(
      .unsafeFlags(["-Xfrontend", "-gnone"], .when(configuration: .debug))
    )
    // A module at once takes half the time in the libraries, and a sixth less in the tests.
    if target.type != .executable {
      target.swiftSettings?.append(.unsafeFlags(wholeModule, .when(configuration: .debug)))
      // No module imports that of a test, so it need not be type-checked twice to be there early.
      if target.isTest {
        target.swiftSettings?.append(
          .unsafeFlags(["-no-emit-module-separately-wmo"], .when(configuration: .debug))
        )
      }
    }
    target.cSettings =
      (target.cSettings ?? []) + [
        .enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error),
      ]
  }
}
