#if canImport(SwiftUI)
  import ReactiveLifecycle
  import SwiftUI

  struct PlayerView: View {
    @Environment(\.lifecycle) private var lifecycle

    var body: some View {
      Text(lifecycle.isActive ? "Playing" : "Paused")
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  struct PlayerScreen: View {
    @State private var player = PlayerModel()

    var body: some View {
      Button(player.isPlaying ? "Playing" : "Play") { player.play() }
    }
  }

  struct PlayerStatus: View {
    @ObservedObject var lifecycle = LifecycleBus.application.observableState

    var body: some View {
      Text(lifecycle.isActive ? "Playing" : "Paused")
    }
  }

  struct EditorView: View {
    @Environment(\.lifecycle) private var lifecycle

    var body: some View {
      Text(lifecycle.isForeground ? "In sight" : "Out of sight")
    }
  }

  struct EditorWindow: View {
    @State private var window = EditorLifecycle()

    var body: some View {
      EditorView().lifecycle(window.bus).sendsScenePhase(to: window.bus)
    }
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
    let bus = LifecycleBus()
    bus.send(.didEnterBackground)
    return PlayerView().lifecycle(bus)
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
