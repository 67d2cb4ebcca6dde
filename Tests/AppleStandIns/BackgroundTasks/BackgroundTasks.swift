import Dispatch
import Foundation

open class BGTask: NSObject {
  override init() { fatalError() }
  open var identifier: String { fatalError() }
  open var expirationHandler: (() -> Void)?
  open func setTaskCompleted(success: Bool) { fatalError() }
}

open class BGAppRefreshTask: BGTask {}

open class BGProcessingTask: BGTask {}

@available(iOS 26, *)
@available(macCatalyst, unavailable)
@available(tvOS, unavailable)
@available(visionOS, unavailable)
open class BGContinuedProcessingTask: BGTask {
  open var progress: Progress { fatalError() }
}

open class BGTaskRequest: NSObject {
  override init() { fatalError() }
  open var identifier: String { fatalError() }
  open var earliestBeginDate: Date?
}

open class BGAppRefreshTaskRequest: BGTaskRequest {
  public init(identifier: String) { fatalError() }
}

open class BGProcessingTaskRequest: BGTaskRequest {
  public init(identifier: String) { fatalError() }
  open var requiresNetworkConnectivity: Bool {
    get { fatalError() }
    set { fatalError() }
  }
  open var requiresExternalPower: Bool {
    get { fatalError() }
    set { fatalError() }
  }
}

open class BGTaskScheduler: NSObject {
  public struct Error: CustomNSError, Hashable, Swift.Error {
    public enum Code: Int, Sendable {
      case unavailable = 1
      case tooManyPendingTaskRequests = 2
      case notPermitted = 3
    }

    public init(_ code: Code) { fatalError() }
    public var code: Code { fatalError() }
    public static func == (left: Error, right: Error) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) { fatalError() }
  }

  override init() { fatalError() }
  open class var shared: BGTaskScheduler { fatalError() }

  // Unavailable in application extensions, which nothing here can show.
  open func register(
    forTaskWithIdentifier identifier: String,
    using queue: DispatchQueue?,
    launchHandler: @escaping (BGTask) -> Void
  ) -> Bool {
    fatalError()
  }
  @available(iOS, deprecated: 27)
  @available(tvOS, deprecated: 27)
  open func submit(_ taskRequest: BGTaskRequest) throws { fatalError() }
  #if compiler(>=6.4)
    // In Objective-C it has a completion handler, which is `@Sendable`.
    @available(iOS 27, tvOS 27, *)
    open func submitTaskRequest(_ taskRequest: BGTaskRequest) async throws { fatalError() }
  #endif
  open func cancel(taskRequestWithIdentifier identifier: String) { fatalError() }
  // In Objective-C it has a completion handler.
  open func pendingTaskRequests() async -> [BGTaskRequest] { fatalError() }
}
