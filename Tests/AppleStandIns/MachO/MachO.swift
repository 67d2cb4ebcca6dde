@discardableResult
public func _NSGetExecutablePath(
  _ buffer: UnsafeMutablePointer<CChar>!,
  _ size: UnsafeMutablePointer<UInt32>!
) -> Int32 {
  fatalError()
}
