#if canImport(SwiftUI)
  import Foundation
  import ReactiveLifecycle
  import SwiftUI

  struct DeparturesScreen: View {
    let departures: Departures

    var body: some View {
      DepartureList(departures)
        .onOpen(after: .seconds(60)) { await departures.load() }
        .task(while: .foreground) { await departures.follow() }
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  struct DeparturesScreenBefore: View {
    @Environment(\.scenePhase) private var scenePhase
    let departures: Departures

    var body: some View {
      DepartureList(departures).onChange(of: scenePhase) { _, phase in
        let defaults = UserDefaults.standard
        if phase == .background {
          defaults.set(Date.now, forKey: "left")
        } else if phase == .active {
          let left = defaults.object(forKey: "left") as? Date
          if Date.now.timeIntervalSince(left ?? .distantPast) >= 60 {
            Task { await departures.load() }
          }
        }
      }
    }
  }

  @MainActor
  final class Departures {
    private(set) var lines: [String] = []

    func load() async { lines = ["5 min"] }
    func follow() async { lines.append("now") }
  }

  struct DepartureList: View {
    let departures: Departures

    init(_ departures: Departures) { self.departures = departures }

    var body: some View { Text(departures.lines.joined(separator: "\n")) }
  }
#endif
