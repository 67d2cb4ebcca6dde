import ArgumentParser
import Foundation

/// Reads a file of more than its control group may have in memory, again and again, until it is killed.
struct Thrash: ParsableCommand {
  @Argument(help: "The path of a file to create.")
  var path: String

  @Option(help: "The size of the file in MiB.")
  var size = 300

  func run() throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    unlink(path)
    let block = [UInt8](repeating: 1, count: 1 << 20)
    for _ in 0..<size { _ = block.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } }
    fsync(descriptor)
    guard
      let memory = mmap(nil, size << 20, PROT_READ, MAP_SHARED, descriptor, 0),
      memory != MAP_FAILED
    else { return }
    var sum = 0
    while sum >= 0 {
      for page in stride(from: 0, to: size << 20, by: 4096) {
        sum &+= Int(memory.load(fromByteOffset: page, as: UInt8.self))
      }
      sum &= 0xff
    }
  }
}
