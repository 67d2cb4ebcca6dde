// Stands for the submodule `Darwin.crt_externs`, which `import Darwin` leaves out.

public func _NSGetEnviron()
  -> UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>!
{
  fatalError()
}
