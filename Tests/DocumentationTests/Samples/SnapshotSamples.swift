import LifecycleTesting
import ReactiveLifecycle

@MainActor
func inlineSnapshotSample() {
  let lifecycle = ScriptedLifecycle()
  lifecycle.perform(.launch, .becomeActive)
  expectLifecycle(
    lifecycle,
    matches: """
      launch
        [0 s background] didFinishLaunching
      becomeActive
        [0 s inactive] willEnterForeground
        [0 s active] didBecomeActive
      """
  )
}

@MainActor
func fileSnapshotSample() {
  let lifecycle = ScriptedLifecycle()
  lifecycle.perform(.launch, .becomeActive, .background(for: .seconds(90)))
  expectLifecycle(lifecycle, matches: .file)
}

@MainActor
func namedFileSnapshotSample(seconds: Int) {
  let lifecycle = ScriptedLifecycle()
  lifecycle.perform(.launch, .becomeActive, .background(for: .seconds(seconds)))
  expectLifecycle(lifecycle, matches: .file("away \(seconds) s"))
}
