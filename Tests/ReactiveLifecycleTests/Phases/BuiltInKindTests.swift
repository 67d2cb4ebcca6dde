import CustomDump
import Foundation
import ReactiveLifecycle
import Testing

@Suite("Built-in kinds")
struct BuiltInKindTests {
  /// A kind without a name there would be equal to the next name that the process makes.
  @Test("Each constant has its own name, at the place that its number says")
  func namesFollowTheNumbers() throws {
    let constants = try source("LifecycleEvent+Kind.swift")
      .matches(of: /static let (\w+) = Self\(builtIn: (\d+)\)/)
    expectNoDifference(
      constants.map { "\($0.2) \($0.1)" },
      LifecycleEvent.Kind.builtInNames.enumerated().map { "\($0) \($1)" }
    )
    for name in LifecycleEvent.Kind.builtInNames {
      expectNoDifference(LifecycleEvent.Kind(rawValue: name).rawValue, name)
    }
  }

  @Test("Each kind is also a list of itself")
  func eachKindIsAlsoAListOfItself() throws {
    let lists = try source("LifecycleEvent+Kinds+BuiltIn.swift")
      .matches(of: /static var (\w+): Self \{\s*\[\.(\w+)\]\s*\}/)
    expectNoDifference(lists.map { "\($0.1)" }, LifecycleEvent.Kind.builtInNames)
    expectNoDifference(lists.map { "\($0.2)" }, LifecycleEvent.Kind.builtInNames)
    let values: [LifecycleEvent.Kinds] = [
      .didFinishLaunching, .willEnterForeground, .didBecomeActive, .willResignActive,
      .didEnterBackground, .willTerminate, .didReceiveMemoryWarning, .significantTimeChange,
      .protectedDataWillBecomeUnavailable, .protectedDataDidBecomeAvailable, .systemWillSleep,
      .systemDidWake, .backgroundFetchDidComplete, .systemWillPowerOff, .reloadRequest,
      .processWasPaused,
    ]
    expectNoDifference(
      values,
      LifecycleEvent.Kind.builtInNames.map { [LifecycleEvent.Kind(rawValue: $0)] }
    )
  }

  private func source(_ name: String) throws -> String {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
    let file = root.appending(path: "Sources/ReactiveLifecycle/Phases").appending(path: name)
    return try String(contentsOf: file, encoding: .utf8)
  }
}
