extension URL {
  @available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
  public static var documentsDirectory: URL { fatalError() }
}
