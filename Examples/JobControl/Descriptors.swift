import CJobControl

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

enum ReadState {
  case open
  case ended
}

/// Reads what a descriptor has available, or reads until the end if it blocks, piece by piece.
func readAvailableBytes(
  from descriptor: CInt,
  _ receive: (ArraySlice<UInt8>) -> Void
) -> ReadState {
  var buffer = [UInt8](repeating: 0, count: 16_384)
  while true {
    let count = read(descriptor, &buffer, buffer.count)
    if count > 0 {
      receive(buffer[..<count])
    } else if count == 0 {
      return .ended
    } else if errno == EAGAIN {
      return .open
    } else if errno != EINTR {
      return .ended
    }
  }
}

/// Writes all bytes, waiting while the other side does not accept them.
func writeAll(_ bytes: [UInt8], to descriptor: CInt) throws(JobControlError) {
  try transferAll(bytes, to: descriptor, call: "write", write)
}

/// Sends all bytes on a socket, where a closed other side is an error and not a SIGPIPE.
func sendAll(_ bytes: [UInt8], to descriptor: CInt) throws(JobControlError) {
  #if canImport(Darwin)
    var enabled: CInt = 1
    setsockopt(
      descriptor,
      SOL_SOCKET,
      SO_NOSIGPIPE,
      &enabled,
      socklen_t(MemoryLayout<CInt>.size)
    )
    let flags: CInt = 0
  #else
    let flags = CInt(MSG_NOSIGNAL)
  #endif
  try transferAll(bytes, to: descriptor, call: "send") { send($0, $1, $2, flags) }
}

private func transferAll(
  _ bytes: [UInt8],
  to descriptor: CInt,
  call: String,
  _ transfer: (CInt, UnsafeRawPointer?, Int) -> Int
) throws(JobControlError) {
  var sent = 0
  while sent < bytes.count {
    let count = bytes[sent...].withUnsafeBytes { transfer(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 {
      sent += count
    } else if errno == EAGAIN {
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&request, 1, -1)
    } else if errno != EINTR {
      throw .current(call)
    }
  }
}

func closeDescriptor(_ descriptor: inout CInt) {
  guard descriptor >= 0 else { return }
  close(descriptor)
  descriptor = -1
}

/// Returns the two ends of a stream socket, closed on exec and distinct from the standard
/// descriptors. The parent's end does not block.
func socketPair() throws(JobControlError) -> (parentEnd: CInt, childEnd: CInt) {
  var ends: [CInt] = [-1, -1]
  #if canImport(Darwin)
    let type = SOCK_STREAM
  #else
    let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
  #endif
  guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .current("socketpair") }
  try moveFromStandardDescriptors(&ends)
  _ = fcntl(ends[0], F_SETFL, O_RDWR | O_NONBLOCK)
  return (ends[0], ends[1])
}

/// Returns the two ends of a pipe, closed on exec and distinct from the standard descriptors.
func makePipe() throws(JobControlError) -> (readingEnd: CInt, writingEnd: CInt) {
  var ends: [CInt] = [-1, -1]
  guard job_control_open_pipe(&ends) == 0 else { throw .current("pipe") }
  try moveFromStandardDescriptors(&ends)
  return (ends[0], ends[1])
}

/// Replaces descriptors by higher ones, closed on exec; closes all of them if it can't.
private func moveFromStandardDescriptors(_ descriptors: inout [CInt]) throws(JobControlError) {
  var error: JobControlError?
  for index in descriptors.indices {
    let moved = fcntl(descriptors[index], F_DUPFD_CLOEXEC, 10)
    if moved < 0 { error = .current("fcntl") }
    closeDescriptor(&descriptors[index])
    descriptors[index] = moved
  }
  guard let error else { return }
  for index in descriptors.indices { closeDescriptor(&descriptors[index]) }
  throw error
}
