#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The three descriptors that every program may take for granted, but need not get.
package enum StandardDescriptors {
  /// Puts something into the place of those that are closed, so that the next file that is opened
  /// does not become standard output. Using them is an error all the same.
  package static func occupy() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
