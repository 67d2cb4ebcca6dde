// What Apple's Foundation has, and Linux's has in FoundationNetworking.

public struct URLRequest: Sendable {
  public init(url: URL) { fatalError() }
}

open class URLSessionConfiguration: NSObject, @unchecked Sendable {
  override public init() { fatalError() }
  public class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
    fatalError()
  }
}

open class URLSessionTask: NSObject, @unchecked Sendable {
  public enum State: Int, Sendable {
    case running = 0
    case completed = 3
  }

  override public init() { fatalError() }
  open var state: URLSessionTask.State { fatalError() }
  open var taskDescription: String? {
    get { fatalError() }
    set { fatalError() }
  }
  open func resume() { fatalError() }
}

open class URLSessionUploadTask: URLSessionTask, @unchecked Sendable {}

open class URLSession: NSObject, @unchecked Sendable {
  public init(
    configuration: URLSessionConfiguration,
    delegate: (any URLSessionDelegate)?,
    delegateQueue queue: OperationQueue?
  ) {
    fatalError()
  }
  open var allTasks: [URLSessionTask] { get async { fatalError() } }
  open func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
    fatalError()
  }
}

public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
}

public protocol URLSessionTaskDelegate: URLSessionDelegate {
  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  )
}

// Stands for `@objc optional`.
extension URLSessionDelegate {
  public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
    fatalError()
  }
}

// Stands for `@objc optional`.
extension URLSessionTaskDelegate {
  public func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    fatalError()
  }
}
