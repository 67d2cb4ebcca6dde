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
