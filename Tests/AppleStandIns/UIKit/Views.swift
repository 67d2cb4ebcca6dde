import Foundation

@MainActor open class UIView: UIResponder {
  public init(frame: CGRect) { fatalError() }
  public init?(coder: NSCoder) { fatalError() }
  // The framework inherits `init()` and lets it call `init(frame:)`.
  override public convenience init() { fatalError() }

  open var window: UIWindow? { fatalError() }
}

@MainActor open class UIWindow: UIView {
  public init(windowScene: UIWindowScene) { fatalError() }
  override public init(frame: CGRect) { fatalError() }
  override public init?(coder: NSCoder) { fatalError() }

  open var rootViewController: UIViewController? {
    get { fatalError() }
    set { fatalError() }
  }
  open weak var windowScene: UIWindowScene? {
    get { fatalError() }
    set { fatalError() }
  }
  open func makeKeyAndVisible() { fatalError() }
}

@MainActor open class UIViewController: UIResponder {
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { fatalError() }
  // The framework requires it, by `NSCoding`.
  public required init?(coder: NSCoder) { fatalError() }
  override public convenience init() { fatalError() }

  open var view: UIView! {
    get { fatalError() }
    set { fatalError() }
  }
  open func viewDidLoad() { fatalError() }
  open func viewWillAppear(_ animated: Bool) { fatalError() }
  open func viewIsAppearing(_ animated: Bool) { fatalError() }
  open func viewDidAppear(_ animated: Bool) { fatalError() }
  open func viewDidDisappear(_ animated: Bool) { fatalError() }
}
