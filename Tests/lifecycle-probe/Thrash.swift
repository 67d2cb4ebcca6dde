import ArgumentParser
import Foundation

/// Writes a file of more than its control group may have in memory, again and again, until it is killed.
///
/// On a fast disk, reading such a file stalls too little to be reported: 15 ms in a second were
/// measured, beside 500 ms for writing.
struct Thrash: ParsableCommand {
  @Argument(help: "The path of a file to create.")
  var path: String

  @Option(help: "The size of the file in MiB.")
  var size = 300

  func run() throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw ExitCode(2) }
    unlink(path)
    let block = [UInt8](repeating: 1, count: 1 << 20)
    while true {
      for number in 0..<size {
        let count = block.withUnsafeBytes {
          pwrite(descriptor, $0.baseAddress, $0.count, off_t(number * block.count))
        }
        guard count > 0 else { throw ExitCode(3) }
      }
    }
  }
}
