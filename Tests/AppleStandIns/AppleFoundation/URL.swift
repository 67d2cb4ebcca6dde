extension URL {
  public static var documentsDirectory: URL { fatalError() }
}
