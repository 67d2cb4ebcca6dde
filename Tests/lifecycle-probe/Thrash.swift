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
    // By calls: an optimized program reads memory that does not change only once.
    var page = [UInt8](repeating: 0, count: 4096)
    while true {
      for offset in stride(from: 0, to: size << 20, by: page.count) {
        _ = page.withUnsafeMutableBytes {
          pread(descriptor, $0.baseAddress, $0.count, off_t(offset))
        }
      }
    }
  }
}
