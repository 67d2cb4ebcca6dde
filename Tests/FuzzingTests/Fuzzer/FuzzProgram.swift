import Foundation

/// Has libFuzzer try inputs on the target that `LIFECYCLE_FUZZ_TARGET` names.
@main
enum FuzzProgram {
  static func main() {
    _ = target
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(runFuzzer(&count, &arguments, testOneInput))
  }
}

/// An argument would be taken for a corpus, and not be passed to the processes that libFuzzer starts.
private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["LIFECYCLE_FUZZ_TARGET"]
  if let target = FuzzTarget.all.first(where: { $0.name == name }) { return target }
  let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
  FileHandle.standardError.write(Data("Set LIFECYCLE_FUZZ_TARGET to one of \(names).\n".utf8))
  exit(64)
}()

private func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let fault = target.fault(in: bytes) { fatalError(fault) }
  return 0
}

/// https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ argumentCount: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ testOneInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
