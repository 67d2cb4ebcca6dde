import CListenerFilter
import FlyingSocks
import Foundation

extension Socket {
  /// A Boolean value that indicates whether the socket accepts connections.
  var isListening: Bool {
    (try? getValue(for: BoolSocketOption(name: SO_ACCEPTCONN))) ?? false
  }

  /// A Boolean value that indicates whether there is a connection to accept, data to read, or the
  /// end of the data.
  var hasInput: Bool {
    var descriptor = pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }

  /// Discards requests for new connections: their senders try again after a second.
  ///
  /// Connections that the kernel has accepted, and handshakes that have begun, are not affected.
  ///
  /// - Throws: A `POSIXError` if the system has no such filters.
  func discardNewConnections() throws {
    let error = listener_discard_new_connections(file.rawValue)
    guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EINVAL) }
  }

  /// Refuses new connections, and resets those that have not been accepted. The descriptor stays
  /// open: the server closes it.
  func stopListening() {
    shutdown(file.rawValue, Int32(SHUT_RDWR))
  }
}
