import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Loads the resource at an address, without a cache and without cookies.
///
/// `@unchecked Sendable`: the session may be used on any thread, and the lock guards the transfers.
final class FeedDownload: NSObject, @unchecked Sendable {
  struct Answer: Sendable {
    var status: Int
    var validators: FeedValidators
    var body: Data
  }

  static let redirectLimit = 10

  private struct Transfer {
    var answer: Answer?
    var redirects = 0
    let onProgress: @Sendable (_ bytes: Int) -> Void
    let continuation: CheckedContinuation<Answer, any Error>
  }

  private let lock = NSLock()
  private var transfers: [Int: Transfer] = [:]
  private let session: URLSession

  override init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    // The caller of a fetch sets the deadline.
    configuration.timeoutIntervalForRequest = 86_400
    let relay = Relay()
    session = URLSession(configuration: configuration, delegate: relay, delegateQueue: nil)
    super.init()
    relay.download = self
  }

  deinit {
    session.finishTasksAndInvalidate()
  }

  /// Loads the resource, until the task is cancelled.
  ///
  /// - Parameters:
  ///   - request: A request to an address with the scheme http or https.
  ///   - onProgress: Called on any thread, with the number of bytes so far.
  /// - Throws: `FeedProblem`, or `CancellationError`.
  func load(
    _ request: URLRequest,
    onProgress: @escaping @Sendable (_ bytes: Int) -> Void
  ) async throws -> Answer {
    try Task.checkCancellation()
    let task = session.dataTask(with: request)
    let id = task.taskIdentifier
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        lock.withLock {
          transfers[id] = Transfer(onProgress: onProgress, continuation: continuation)
        }
        task.resume()
        if Task.isCancelled { finish(task, .failure(CancellationError()), cancels: true) }
      }
    } onCancel: {
      finish(task, .failure(CancellationError()), cancels: true)
    }
  }

  // MARK: The session

  /// Returns the request that follows a redirect, or nil to refuse the redirect.
  ///
  /// A task that waits for an answer to a redirect must not be cancelled: FoundationNetworking
  /// traps. A task that no caller waits for ends here.
  fileprivate func redirect(_ task: URLSessionTask, to request: URLRequest) -> URLRequest? {
    let count: Int? = lock.withLock {
      transfers[task.taskIdentifier]?.redirects += 1
      return transfers[task.taskIdentifier]?.redirects
    }
    guard let count else { return nil }
    let scheme = request.url?.scheme?.lowercased() ?? ""
    guard ["http", "https"].contains(scheme) else {
      finish(task, .failure(FeedProblem.redirected(scheme: scheme)))
      return nil
    }
    guard count <= Self.redirectLimit else {
      finish(task, .failure(FeedProblem.tooManyRedirects))
      return nil
    }
    return request
  }

  fileprivate func receive(_ response: URLResponse, _ task: URLSessionTask) {
    guard let response = response as? HTTPURLResponse else { return }
    let answer = Answer(
      status: response.statusCode,
      validators: FeedValidators(
        entityTag: response.value(forHTTPHeaderField: "ETag"),
        lastModified: response.value(forHTTPHeaderField: "Last-Modified")
      ),
      body: Data()
    )
    lock.withLock { transfers[task.taskIdentifier]?.answer = answer }
  }

  fileprivate func receive(_ data: Data, _ task: URLSessionTask) {
    let id = task.taskIdentifier
    let progress: (count: Int, report: @Sendable (Int) -> Void)? = lock.withLock {
      // Appends in place: a copy of the transfer would copy the body, too.
      transfers[id]?.answer?.body.append(data)
      guard let transfer = transfers[id], let count = transfer.answer?.body.count else {
        return nil
      }
      return (count, transfer.onProgress)
    }
    guard let progress else { return }
    if progress.count > Feed.sizeLimit {
      finish(task, .failure(FeedProblem.tooLarge), cancels: true)
    } else {
      progress.report(progress.count)
    }
  }

  fileprivate func complete(_ task: URLSessionTask, _ error: (any Error)?) {
    if let error {
      return finish(task, .failure(FeedProblem.transfer(Self.description(of: error))))
    }
    let answer = lock.withLock { transfers[task.taskIdentifier]?.answer }
    guard let answer else {
      return finish(task, .failure(FeedProblem.transfer("the response is not HTTP")))
    }
    finish(task, .success(answer))
  }

  /// Ends a transfer with a result. Only the first call has an effect.
  ///
  /// - Parameter cancels: Whether the transfer may still be under way.
  private func finish(
    _ task: URLSessionTask,
    _ result: Result<Answer, any Error>,
    cancels: Bool = false
  ) {
    let transfer = lock.withLock { transfers.removeValue(forKey: task.taskIdentifier) }
    guard let transfer else { return }
    // After one redirect, another may be about to arrive.
    if cancels, transfer.redirects == 0 || transfer.answer != nil { task.cancel() }
    transfer.continuation.resume(with: result)
  }

  private static func description(of error: any Error) -> String {
    guard let error = error as? URLError else { return "\(error)".onOneLine }
    let host = error.failingURL?.host ?? "the server"
    return switch error.code {
    case .cannotFindHost, .dnsLookupFailed: "cannot find \(host)"
    case .cannotConnectToHost: "cannot connect to \(host)"
    case .networkConnectionLost: "the connection was lost"
    case .notConnectedToInternet: "no network connection"
    case .timedOut: "timed out"
    case .httpTooManyRedirects: FeedProblem.tooManyRedirects.description
    case .badURL: "invalid address"
    // The scheme of the address is known; on Linux, the error means an answer in another protocol.
    case .badServerResponse, .cannotParseResponse, .unsupportedURL: "the response is not HTTP"
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
      "cannot establish a secure connection to \(host)"
    default: error.localizedDescription.onOneLine
    }
  }
}

extension String {
  fileprivate var onOneLine: String {
    split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

/// The delegate that a session retains in place of the download, which ends the session.
///
/// `@unchecked Sendable`: the weak reference is set before the session has a task.
private final class Relay: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  weak var download: FeedDownload?

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(download?.redirect(task, to: request))
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    download?.receive(response, dataTask)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    download?.receive(data, dataTask)
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    download?.complete(task, error)
  }
}
