#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An unbuffered output to a descriptor. It stops at the first failure.
@MainActor
package final class DescriptorOutput {
  package struct Failure: Error, Hashable, CustomStringConvertible {
    package var errno: CInt

    package init(errno: CInt) { self.errno = errno }

    package var description: String {
      "cannot write to standard output: \(String(cString: strerror(errno)))"
    }
  }

  private let descriptor: CInt
  private let onFailure: (Failure) -> Void
  private var hasFailed = false

  package init(descriptor: CInt, onFailure: @escaping (Failure) -> Void) {
    self.descriptor = descriptor
    self.onFailure = onFailure
  }

  package func write(_ text: String) {
    guard !hasFailed else { return }
    do throws(Failure) {
      try Self.write(text, to: descriptor)
    } catch {
      hasFailed = true
      onFailure(error)
    }
  }

  package nonisolated static func write(_ text: String, to descriptor: CInt) throws(Failure) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // Another user of the descriptor has made it non-blocking.
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
      } else if errno != EINTR {
        throw Failure(errno: errno)
      }
    }
  }
}

private let systemWrite = write

extension DescriptorOutput {
  /// Writes a message for the user, which no program reads, to standard error.
  ///
  /// The message is one line, in which text from outside is escaped. A failure has no effect.
  ///
  /// - Parameter program: The name at the beginning of the line; nil for none.
  package nonisolated static func diagnose(_ message: String, program: String?) {
    let line = OutsideText.line(program.map { "\($0): \(message)" } ?? message)
    try? write(line + "\n", to: STDERR_FILENO)
  }
}

/// The three descriptors that every program relies on, but does not always receive.
package enum StandardDescriptors {
  /// Opens `/dev/null` in place of the closed ones, so that the next file that is opened does not
  /// become standard output. Using them still fails.
  package static func occupy() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
