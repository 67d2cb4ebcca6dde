import Foundation

// What Apple's Foundation has, and Linux's has in FoundationNetworking.
open class URLSession: NSObject, @unchecked Sendable {
  override public init() { fatalError() }
  open var configuration: URLSessionConfiguration { fatalError() }
}

open class URLSessionConfiguration: NSObject, @unchecked Sendable {
  override public init() { fatalError() }
  open var identifier: String? { fatalError() }
}

public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
}

// Stands for `@objc optional`.
extension URLSessionDelegate {
  public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
    fatalError()
  }
}
