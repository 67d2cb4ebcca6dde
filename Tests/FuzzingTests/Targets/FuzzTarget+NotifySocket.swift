#if Services
  import Foundation
  import LifecycleCore

  @testable import LifecycleServices

  extension FuzzTarget {
    /// The variables of a service manager, which line feeds separate: the address of its socket,
    /// the timeout of its watchdog, and the process that it watches.
    static let notifySocket = FuzzTarget("notify-socket") { bytes in
      let texts = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      do throws(SystemdNotifier.Failure) {
        let address = try NotifyAddress(texts[0])
        let (family, written) = address.withSocketAddress { address, size in
          let bytes = UnsafeRawBufferPointer(start: address, count: Int(size))
          return (address.pointee.sa_family, Array(bytes))
        }
        // unix(7): a path has a zero after it, and a name has one before it.
        let path = Array(texts[0].utf8)
        let name = path.first == UInt8(ascii: "@") ? [0] + path.dropFirst() : path + [0]
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
        guard family == sa_family_t(AF_UNIX), written.dropFirst(start).elementsEqual(name),
          written.count <= MemoryLayout<sockaddr_un>.size
        else { return "an address of \(written)" }
      } catch {
        guard !error.description.isEmpty else { return "an error without a description" }
      }
      guard texts.count == 3,
        let watchdog = WatchdogSettings(
          microseconds: texts[1],
          watchedProcess: texts[2],
          process: 1
        )
      else { return nil }
      let isSound = watchdog.period > .zero && watchdog.period <= watchdog.timeout
      return isSound ? nil : "a sign of life every \(watchdog.period)"
    }
  }
#endif
