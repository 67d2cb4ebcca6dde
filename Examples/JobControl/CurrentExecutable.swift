#if canImport(Darwin)
  import MachO
#else
  import Glibc
#endif

/// The path of the program that is running.
public func currentExecutablePath() -> String {
  #if canImport(Darwin)
    var size: UInt32 = 0
    _NSGetExecutablePath(nil, &size)
    var path = [CChar](repeating: 0, count: Int(size))
    _NSGetExecutablePath(&path, &size)
  #else
    var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    readlink("/proc/self/exe", &path, path.count - 1)
  #endif
  return path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
}
