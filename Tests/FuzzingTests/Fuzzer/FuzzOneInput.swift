import Foundation

// The entry points that libFuzzer calls. https://llvm.org/docs/LibFuzzer.html

/// The target that `LIFECYCLE_FUZZ_TARGET` names. An argument would be taken for a corpus, and not
/// be passed to the processes that libFuzzer starts.
private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["LIFECYCLE_FUZZ_TARGET"]
  if let target = FuzzTarget.all.first(where: { $0.name == name }) { return target }
  let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
  FileHandle.standardError.write(Data("Set LIFECYCLE_FUZZ_TARGET to one of \(names).\n".utf8))
  exit(64)
}()

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_: UnsafeMutablePointer<CInt>, _: UnsafeMutableRawPointer) -> CInt {
  _ = target
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let fault = target.fault(in: bytes) { fatalError(fault) }
  return 0
}
