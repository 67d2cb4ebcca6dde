extension LifecycleTimeline {
  public var html: String { "" }
  public var svg: String { "" }
}
