import Foundation

@MainActor open class NSView: NSResponder {
  public init(frame frameRect: NSRect) { fatalError() }
  public required init?(coder: NSCoder) { fatalError() }
}

@MainActor open class NSViewController: NSResponder {
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { fatalError() }
  public required init?(coder: NSCoder) { fatalError() }
  override public convenience init() { fatalError() }

  open var view: NSView {
    get { fatalError() }
    set { fatalError() }
  }
  open func viewDidLoad() { fatalError() }
  open func viewWillAppear() { fatalError() }
  open func viewDidAppear() { fatalError() }
  open func viewWillDisappear() { fatalError() }
  open func viewDidDisappear() { fatalError() }
}
