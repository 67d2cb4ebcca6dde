#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

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
