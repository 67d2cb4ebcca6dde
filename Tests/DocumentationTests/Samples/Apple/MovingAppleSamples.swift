#if canImport(UIKit) && !os(watchOS)
  import LifecycleSources
  import ReactiveLifecycle
  import UIKit

  final class NoteViewControllerBefore: UIViewController {
    private var token: (any NSObjectProtocol)?

    override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      token = NotificationCenter.default.addObserver(
        forName: UIApplication.didEnterBackgroundNotification,
        object: nil,
        queue: nil
      ) { [weak self] _ in
        MainActor.assumeIsolated { self?.save() }
      }
    }

    override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      if let token { NotificationCenter.default.removeObserver(token) }
    }

    private func save() {}
  }

  final class NoteViewControllerAfter: UIViewController {
    private var scope: LifecycleScope?

    override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      let scope = LifecycleScope("note")
      LifecycleBus.application.addObserver(for: .didEnterBackground, in: scope) { [weak self] _ in
        self?.save()
      }
      self.scope = scope
    }

    override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      scope?.end()
    }

    private func save() {}
  }
#endif

#if canImport(SwiftUI)
  import LifecycleSources
  import ReactiveLifecycle
  import SwiftUI

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
