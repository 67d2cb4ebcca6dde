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
    .library(name: "LifecycleTesting", targets: ["LifecycleTesting"]),
  ],
  dependencies: [
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
    .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.3.0"),
    .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    // For tests alone: the server of the feeds.
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .target(
      name: "LifecycleCombine",
      dependencies: [
        // Not on Apple's platforms: they have Combine, and it does not build for all of them.
        .product(
          name: "OpenCombine",
          package: "OpenCombine",
          condition: .when(platforms: [.linux, .android, .windows, .wasi, .openbsd])
        )
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    .target(
      name: "ReactiveLifecycle",
      dependencies: [
        "LifecycleCombine",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HeapModule", package: "swift-collections"),
        .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
      ]
    ),
    .target(
      name: "LifecycleCountdowns",
      dependencies: [
        "LifecycleCombine",
        "ReactiveLifecycle",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HeapModule", package: "swift-collections"),
      ]
    ),
    .target(name: "LifecycleJournaling", dependencies: ["ReactiveLifecycle"]),
    .target(
      name: "LifecycleBackgroundWork",
      dependencies: [
        "LifecycleCombine",
        "ReactiveLifecycle",
        .product(name: "DequeModule", package: "swift-collections"),
      ],
    ),
    .target(name: "CLifecycleShims"),
    .target(
      name: "LifecycleSources",
      dependencies: [
        "ReactiveLifecycle",
        "CLifecycleShims",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
      ]
    ),
    .target(
      name: "LifecycleTesting",
      dependencies: [
        "LifecycleCombine",
        "ReactiveLifecycle",
        .product(name: "CustomDump", package: "swift-custom-dump"),
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HeapModule", package: "swift-collections"),
        .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
        // Without it a reported issue fails no test there.
        .product(
          name: "IssueReportingTestSupport",
          package: "xctest-dynamic-overlay",
          condition: .when(platforms: [.linux, .android])
        ),
      ]
    ),

    // MARK: Examples

    .executableTarget(
      name: "quick-start",
      dependencies: ["LifecycleTesting", "ReactiveLifecycle"],
      path: "Examples/quick-start"
    ),
    .target(name: "CJobControl", path: "Examples/CJobControl"),
    .target(
      name: "JobControl",
      dependencies: ["CJobControl"],
      path: "Examples/JobControl"
    ),
    .target(
      name: "ProgramReporting",
      dependencies: [
        "LifecycleCombine",
        "LifecycleSources",
        "ReactiveLifecycle",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Examples/ProgramReporting"
    ),
    .target(
      name: "CountdownReporting",
      dependencies: ["LifecycleCombine", "ProgramReporting", "ReactiveLifecycle"],
      path: "Examples/CountdownReporting"
    ),
    .target(
      name: "RentalCountdown",
      dependencies: ["CountdownReporting", "ProgramReporting", "ReactiveLifecycle"],
      path: "Examples/RentalCountdown"
    ),
    .executableTarget(
      name: "rental-countdown",
      dependencies: [
        "ProgramReporting",
        "RentalCountdown",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Examples/rental-countdown"
    ),
    .target(
      name: "VerificationCode",
      dependencies: ["CountdownReporting", "ProgramReporting", "ReactiveLifecycle"],
      path: "Examples/VerificationCode"
    ),
    .executableTarget(
      name: "verification-code",
      dependencies: [
        "ProgramReporting",
        "ReactiveLifecycle",
        "VerificationCode",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Examples/verification-code"
    ),
    .target(
      name: "LoadMonitor",
      dependencies: ["LifecycleCombine", "ReactiveLifecycle"],
      path: "Examples/LoadMonitor"
    ),
    .executableTarget(
      name: "load-monitor",
      dependencies: [
        "LifecycleSources",
        "LoadMonitor",
        "ProgramReporting",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Examples/load-monitor"
    ),
    .target(
      name: "LocationReminder",
      dependencies: [
        "LifecycleCombine",
        "LifecycleSources",
        "ProgramReporting",
        "ReactiveLifecycle",
      ],
      path: "Examples/LocationReminder",
      exclude: ["Tracks"]
    ),
    .executableTarget(
      name: "location-reminder",
      dependencies: [
        "LocationReminder",
        "ProgramReporting",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Examples/location-reminder"
    ),
    .target(
      name: "FeedRefresher",
      dependencies: [
        "LifecycleCombine",
        "LifecycleSources",
        "ProgramReporting",
        "ReactiveLifecycle",
      ],
      path: "Examples/FeedRefresher"
    ),
    .executableTarget(
      name: "feed-refresher",
      dependencies: [
        "FeedRefresher",
        "ProgramReporting",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Examples/feed-refresher"
    ),
    .executableTarget(
      name: "lifecycle-tour",
      dependencies: [
        "CountdownReporting",
        "JobControl",
        "LifecycleSources",
        "LoadMonitor",
        "LocationReminder",
        "ProgramReporting",
        "ReactiveLifecycle",
        "RentalCountdown",
        "VerificationCode",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Examples/lifecycle-tour"
    ),

    // MARK: Tests

    .target(
      name: "ProcessTestSupport",
      dependencies: ["JobControl", "ReactiveLifecycle"],
      path: "Tests/ProcessTestSupport"
    ),
    .target(
      name: "CountdownTestSupport",
      dependencies: ["CountdownReporting", "JobControl", "ProcessTestSupport"],
      path: "Tests/CountdownTestSupport"
    ),
    .target(name: "RandomTestSupport", path: "Tests/RandomTestSupport"),
    .target(
      name: "SwiftTestingSupport",
      dependencies: [
        "ReactiveLifecycle",
        .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
      ],
      path: "Tests/SwiftTestingSupport"
    ),
    .executableTarget(
      name: "lifecycle-probe",
      dependencies: [
        "JobControl",
        "LifecycleCombine",
        "LifecycleSources",
        "LifecycleTesting",
        "ProcessTestSupport",
        "ReactiveLifecycle",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/LifecycleProbe"
    ),
    .testTarget(
      name: "JobControlTests",
      dependencies: [
        "JobControl",
        "ProcessTestSupport",
        "ReactiveLifecycle",
        "SwiftTestingSupport",
        "lifecycle-probe",
        .product(name: "CustomDump", package: "swift-custom-dump"),
      ]
    ),
    .testTarget(
      name: "LifecycleSourcesTests",
      dependencies: [
        "JobControl",
        "LifecycleCombine",
        "LifecycleSources",
        "LifecycleTesting",
        "ProcessTestSupport",
        "RandomTestSupport",
        "ReactiveLifecycle",
        "SwiftTestingSupport",
        "lifecycle-probe",
        .product(name: "CustomDump", package: "swift-custom-dump"),
        .product(name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay"),
      ]
    ),
    .testTarget(
      name: "LifecycleTestingTests",
      dependencies: [
        "JobControl",
        "LifecycleCombine",
        "LifecycleTesting",
        "RandomTestSupport",
        "ReactiveLifecycle",
        "SwiftTestingSupport",
        .product(name: "CustomDump", package: "swift-custom-dump"),
        .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
      ],
      exclude: ["Script/__Snapshots__", "Snapshots/__Snapshots__"]
    ),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "JobControl",
        "LifecycleCombine",
        "LifecycleSources",
        "LifecycleTesting",
        "ProcessTestSupport",
        "ReactiveLifecycle",
        "SwiftTestingSupport",
        "lifecycle-tour",
        "quick-start",
        .product(name: "CustomDump", package: "swift-custom-dump"),
      ],
      exclude: ["Samples/__Snapshots__"]
    ),
    // Run by a test, as a process of its own, to show that the thread sanitizer sees races.
    .executableTarget(
      name: "RaceProbe",
      dependencies: ["ReactiveLifecycle"],
      path: "Tests/RaceProbe"
    ),
    // Run by a test, as a process of its own: which thread asks first is up to it.
    .executableTarget(
      name: "MainThreadProbe",
      dependencies: ["ReactiveLifecycle"],
      path: "Tests/MainThreadProbe"
    ),
    .testTarget(
      name: "LifecycleTourTests",
      dependencies: ["JobControl", "ProcessTestSupport", "SwiftTestingSupport", "lifecycle-tour"]
    ),
    .testTarget(
      name: "LoadMonitorTests",
      dependencies: [
        "JobControl",
        "LifecycleTesting",
        "LoadMonitor",
        "ProcessTestSupport",
        "ReactiveLifecycle",
        "SwiftTestingSupport",
        "lifecycle-probe",
        "load-monitor",
        .product(name: "CustomDump", package: "swift-custom-dump"),
      ]
    ),
    .testTarget(
      name: "ProgramReportingTests",
      dependencies: [
        "JobControl",
        "ProcessTestSupport",
        "ProgramReporting",
        "ReactiveLifecycle",
        "feed-refresher",
        "lifecycle-tour",
        "load-monitor",
        "location-reminder",
        "rental-countdown",
        "verification-code",
        .product(name: "CustomDump", package: "swift-custom-dump"),
      ]
    ),
    .testTarget(
      name: "CountdownReportingTests",
      dependencies: [
        "CountdownReporting",
        "ProgramReporting",
        "ReactiveLifecycle",
        .product(name: "CustomDump", package: "swift-custom-dump"),
      ]
    ),
    .testTarget(
      name: "RentalCountdownTests",
      dependencies: [
        "CountdownReporting",
        "CountdownTestSupport",
        "JobControl",
        "LifecycleSources",
        "LifecycleTesting",
        "ProcessTestSupport",
        "ReactiveLifecycle",
        "RentalCountdown",
        "SwiftTestingSupport",
        "lifecycle-probe",
        "rental-countdown",
        .product(name: "CustomDump", package: "swift-custom-dump"),
      ],
      exclude: ["__Snapshots__"]
    ),
    .testTarget(
      name: "VerificationCodeTests",
      dependencies: [
        "CountdownReporting",
        "CountdownTestSupport",
        "JobControl",
        "LifecycleTesting",
        "ProcessTestSupport",
        "RandomTestSupport",
        "ReactiveLifecycle",
        "SwiftTestingSupport",
        "VerificationCode",
        "lifecycle-probe",
        "verification-code",
        .product(name: "CustomDump", package: "swift-custom-dump"),
      ],
      exclude: ["__Snapshots__"]
    ),
    .testTarget(
      name: "LocationReminderTests",
      dependencies: [
        "CountdownTestSupport",
        "JobControl",
        "LifecycleCombine",
        "LifecycleTesting",
        "LocationReminder",
        "ProcessTestSupport",
        "ProgramReporting",
        "RandomTestSupport",
        "ReactiveLifecycle",
        "SwiftTestingSupport",
        "lifecycle-probe",
        "location-reminder",
        .product(name: "CustomDump", package: "swift-custom-dump"),
      ]
    ),
    .testTarget(
      name: "FeedRefresherTests",
      dependencies: [
        "CountdownTestSupport",
        "FeedRefresher",
        "JobControl",
        "LifecycleTesting",
        "ProcessTestSupport",
        "ProgramReporting",
        "ReactiveLifecycle",
        "SwiftTestingSupport",
        "feed-refresher",
        "lifecycle-probe",
        .product(name: "CustomDump", package: "swift-custom-dump"),
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      exclude: ["Fixtures"]
    ),
    .testTarget(
      name: "ReactiveLifecycleTests",
      dependencies: [
        "JobControl",
        "LifecycleCombine",
        "LifecycleTesting",
        "MainThreadProbe",
        "ProcessTestSupport",
        "RaceProbe",
        "RandomTestSupport",
        "ReactiveLifecycle",
        "SwiftTestingSupport",
        .product(name: "CustomDump", package: "swift-custom-dump"),
        .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
        .product(name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// TODO at the merge of the manifest.
for target in package.targets where target.name != "ReactiveLifecycle" {
  let features: [Target.Dependency] = [
    "LifecycleCountdowns", "LifecycleJournaling", "LifecycleBackgroundWork",
  ]
  let names = target.dependencies.map { "\($0)" }
  guard
    !target.name.hasPrefix("Lifecycle") || target.isTest || target.name == "LifecycleSources"
      || target.name == "LifecycleTesting" || target.name == "LocationReminder"
  else { continue }
  if names.contains(where: {
    $0.contains("\"ReactiveLifecycle\"") || $0.contains("LifecycleSources")
  }) {
    target.dependencies += features
  }
}

// On Linux a resource adds a bundle and Foundation to every client.
for target in package.targets where target.name == "LifecycleJournaling" {
  #if os(Linux)
    target.exclude = ["PrivacyInfo.xcprivacy"]
  #else
    target.resources = [.copy("PrivacyInfo.xcprivacy")]
  #endif
}

#if !os(Linux)
  // What looks at processes by way of /proc or limits them, and what runs programs that do.
  let linuxTargets: Set = ["JobControlTests", "LifecycleTourTests", "lifecycle-probe"]
  let linuxSources = [
    "FeedRefresherTests": ["FeedProcessTests.swift", "HostileServerTests.swift"],
    "LifecycleSourcesTests": [
      "Application/ApplicationBusTests.swift", "Journal", "Process/BashTests.swift",
      "Process/CoexistenceTests.swift", "Process/DeadlineTests.swift",
      "Process/DisconnectTests.swift", "Process/InheritedDispositionTests.swift",
      "Process/ProcessTaskTests.swift", "Process/ProcessTests.swift",
      "Process/StopAndContinueTests.swift", "Process/TerminalTests.swift",
      "Process/TerminationTests.swift", "Time",
    ],
    "LoadMonitorTests": ["LoadMonitorProcessTests.swift"],
    "LocationReminderTests": ["LocationProcessTests.swift"],
    "ProcessTestSupport": ["Alive.swift", "Probe.swift", "ProbeLine.swift"],
    "RentalCountdownTests": [
      "CommandLineTests.swift", "Countdown.swift", "EndTests.swift", "JobControlTests.swift",
      "TerminalTests.swift",
    ],
    "VerificationCodeTests": [
      "ClockTests.swift", "CodeSession.swift", "CommandLineTests.swift", "FileTests.swift",
      "JobControlTests.swift", "RelaunchTests.swift",
    ],
  ]
  package.targets.removeAll { linuxTargets.contains($0.name) }
  for target in package.targets {
    target.exclude += linuxSources[target.name] ?? []
    target.dependencies.removeAll {
      if case .byNameItem(let name, _) = $0 { linuxTargets.contains(name) } else { false }
    }
  }
#endif

// `.ci/run` sets this; a client's build must not fail for a new compiler's warnings.
if Context.environment["LIFECYCLE_WARNINGS_AS_ERRORS"] != nil {
  for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-warnings-as-errors"])]
    // What is tested is optimized; optimizing the tests, too, takes longer than they run.
    if target.isTest {
      target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
    }
    target.cSettings = [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]
  }
}
