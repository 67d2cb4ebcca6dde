#if canImport(SwiftUI)
  import Combine
  import Observation
  import ReactiveLifecycle
  import SwiftUI

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  struct NewsView: View {
    @State private var news = NewsList()

    var body: some View {
      List(news.headlines, id: \.self) { Text($0) }
        .onOpen { await news.load() }
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Observable
  @MainActor
  final class NewsList {
    private(set) var headlines: [String] = []

    func load() async { headlines = await fetchHeadlines() }
  }

  func fetchHeadlines() async -> [String] { [] }

  struct GreetingView: View {
    @State private var greeting = ""

    var body: some View {
      Text(greeting)
        .onOpen { opening in greeting = opening.isFirst ? "Hello" : "Welcome back" }
    }
  }

  // MARK: A task in the foreground

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  struct PriceView: View {
    @State private var stock = Stock()

    var body: some View {
      Text(stock.price)
        .task(while: .foreground) { await stock.followPrices() }
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Observable
  @MainActor
  final class Stock {
    private(set) var price = "–"

    func followPrices() async {
      for await price in connectToPrices() { self.price = price }
    }
  }

  func connectToPrices() -> AsyncStream<String> { AsyncStream { _ in } }

  // MARK: The phase

  struct PlayerView: View {
    @Environment(\.lifecycle) private var lifecycle

    var body: some View {
      Text(lifecycle.isActive ? "Playing" : "Paused")
    }
  }

  struct PlayerStatus: View {
    @ObservedObject var lifecycle = LifecycleBus.application.observableState

    var body: some View {
      Text(lifecycle.isActive ? "Playing" : "Paused")
    }
  }

  // MARK: Models

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  struct PlayerScreen: View {
    @State private var player = PlayerModel()

    var body: some View {
      Button(player.isPlaying ? "Playing" : "Play") { player.play() }
    }
  }

  struct RouteScreen: View {
    @StateObject private var route = RouteModel()

    var body: some View {
      Text("\(route.points) points")
    }
  }

  @MainActor
  final class RouteModel: ObservableObject {
    @Published private(set) var points = 0
    private let scope = LifecycleScope("route")

    init(bus: LifecycleBus = .application) {
      bus.onReturn(after: .seconds(600), in: scope) { [weak self] _ in self?.points = 0 }
    }
  }

  // MARK: A window

  struct EditorWindow: View {
    @State private var bus = LifecycleBus(parent: .application)

    var body: some View {
      EditorView().lifecycle(bus).sendsScenePhase(to: bus)
    }
  }

  struct EditorView: View {
    @Environment(\.lifecycleBus) private var bus
    @State private var editor = WindowEditor()

    var body: some View {
      Text("Draft")
        .onAppear { editor.saveWhenLeft(bus) }
    }
  }

  @MainActor
  final class WindowEditor {
    private(set) var saves = 0

    func saveWhenLeft(_ bus: LifecycleBus) {
      bus.addObserver(self, for: .didEnterBackground, id: "save") { editor, _ in editor.save() }
    }

    func save() { saves += 1 }
  }

  struct NotesApp: App {
    var body: some Scene {
      WindowGroup {
        EditorWindow()
      }
    }
  }

  @MainActor
  func lifecycleSample(_ bus: LifecycleBus) -> some View {
    PlayerView().lifecycle(bus)
  }

  @MainActor
  func previewSample() -> some View {
    PlayerView().lifecycle(previewing: .background)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  struct EditorBefore: View {
    @Environment(\.scenePhase) private var scenePhase
    let editor: EditorModel

    var body: some View {
      EditorView().onChange(of: scenePhase) { _, phase in
        if phase == .background { editor.save() }
      }
    }
  }
#endif
