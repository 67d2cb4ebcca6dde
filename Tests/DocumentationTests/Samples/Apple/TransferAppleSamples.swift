#if os(iOS)
  import Foundation
  import LifecycleBackgroundWork
  import ReactiveLifecycle
  import SwiftUI
  import UIKit

  private final class PhotoStore: Sendable {
    /// The latest version of each file that is not marked as uploaded.
    var waiting: [FileUpload] { [] }
    func latest(of file: String) -> FileUpload? { nil }
    func url(of upload: FileUpload) -> URL { URL.documentsDirectory }
    func request(for upload: FileUpload) -> URLRequest { URLRequest(url: url(of: upload)) }
    func markUploaded(_ upload: FileUpload) {}
  }

  extension FileUpload {
    init?(of task: URLSessionTask) {
      guard let json = task.taskDescription?.utf8,
        let upload = try? JSONDecoder().decode(Self.self, from: Data(json))
      else { return nil }
      self = upload
    }
  }

  @MainActor final class UploadSession: NSObject, URLSessionTaskDelegate {
    static let shared = UploadSession()
    private let uploads = Uploads()
    private let store = PhotoStore()
    private lazy var session = URLSession(
      configuration: .background(withIdentifier: "com.example.uploads"),
      delegate: self,
      delegateQueue: .main
    )

    func handleEvents(_ completionHandler: @escaping () -> Void) {
      uploads.keep(completionHandler)  // Before there is a session.
      _ = session
    }

    /// Returns when the session has no more events, or when the task is cancelled.
    func handleEvents() async {
      let (events, handler) = AsyncStream.makeStream(of: Never.self)
      handleEvents { handler.finish() }
      for await _ in events {}
    }

    func enqueueWaiting() async {
      for upload in store.waiting { await enqueue(upload) }
    }

    func enqueue(_ upload: FileUpload) async {
      // Also those that an earlier run of the app has started.
      for task in await session.allTasks where task.state == .running {
        if let running = FileUpload(of: task) { _ = uploads.begin(running) }
      }
      if uploads.begin(upload) { start(upload) }
    }

    private func start(_ upload: FileUpload) {
      let request = store.request(for: upload)
      let task = session.uploadTask(with: request, fromFile: store.url(of: upload))
      task.taskDescription = try? String(decoding: JSONEncoder().encode(upload), as: UTF8.self)
      task.resume()
    }

    nonisolated func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      MainActor.assumeIsolated {
        guard let upload = FileUpload(of: task) else { return }
        uploads.end(upload)
        if error == nil { store.markUploaded(upload) }
        let latest = store.latest(of: upload.file)
        guard let latest, latest.version != upload.version else { return }
        startBackgroundTask(named: "upload again") { await self.enqueue(latest) }
      }
    }

    nonisolated func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
      MainActor.assumeIsolated { uploads.finishEvents() }
    }
  }

  final class UploadDelegate: NSObject, UIApplicationDelegate {
    private let scope = LifecycleScope("uploads")

    func application(
      _ application: UIApplication,
      didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
      LifecycleBus.application.onOpen(in: scope) { _ in
        Task { await UploadSession.shared.enqueueWaiting() }
      }
      return true
    }

    func application(
      _ application: UIApplication,
      handleEventsForBackgroundURLSession identifier: String,
      completionHandler: @escaping () -> Void
    ) {
      UploadSession.shared.handleEvents(completionHandler)
    }
  }

  struct UploadApp: App {
    var body: some Scene {
      WindowGroup { Text("Photos") }
        .backgroundTask(.urlSession("com.example.uploads")) {
          await UploadSession.shared.handleEvents()
        }
    }
  }
#endif
