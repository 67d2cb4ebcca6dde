import LifecycleBackgroundWork
import Observation

/// An upload that continues when the user leaves the app, until the system's time is up.
@MainActor
@Observable
final class UploadModel {
  private(set) var status = "Not started"
  private let tasks: BackgroundTaskCoordinator
  private let upload: @MainActor () async throws -> Void

  init(tasks: BackgroundTaskCoordinator, upload: @escaping @MainActor () async throws -> Void) {
    self.tasks = tasks
    self.upload = upload
  }

  func start() async {
    status = "Uploading …"
    do {
      try await withBackgroundTask(named: "upload", tasks: tasks) { [upload] in
        try await upload()
      }
      status = "Uploaded"
    } catch {
      status = "Stopped: \(error)"
    }
  }
}
