import BenchmarkSupport
import Foundation

let program = PeerProgram("file-writes")

/// A file that is overwritten in two places in turn.
final class WrittenFile {
  private let descriptor: Int32
  private let bytes: [UInt8]
  private var isSecond = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let path = RecordingBus.freshPath()
    descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    unlink(path)
    for _ in 1...2 { write() }
  }

  deinit {
    close(descriptor)
  }

  func write() {
    let written = pwrite(descriptor, bytes, bytes.count, isSecond ? 4096 : 0)
    precondition(written == bytes.count && fdatasync(descriptor) == 0)
    isSecond.toggle()
  }
}

for size in BenchmarkOperation.record.sizes {
  program.add("write-fdatasync", .record, size: size, operations: 2) {
    let file = WrittenFile(RecordingBus(keeping: size).record)
    return Fixture(keeping: file) { count in
      for _ in 0..<count { file.write() }
    } check: { _ in
    }
  }
}

program.run()
