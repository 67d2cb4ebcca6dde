#if Services
  import Foundation
  import ReactiveLifecycle

  @testable import LifecycleServices

  extension FuzzTarget {
    /// The variables of a service manager, which line feeds separate: the address of its socket,
    /// the timeout of its watchdog, and the process that it watches.
    static let notifySocket = FuzzTarget("notify-socket") { bytes in
      let texts = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      do throws(SystemdNotifier.StartError) {
        let address = try NotifyAddress(texts[0])
        let size = address.withSocketAddress { _, size in Int(size) }
        guard size <= MemoryLayout<sockaddr_un>.size else { return "an address of \(size) bytes" }
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
