import Dispatch
import Foundation
import Testing

@testable import LifecycleProcess

/// With a signal that Dispatch reads nowhere in this process.
@Suite("The search for another reader of a signal")
struct SignalReaderTests {
  /// Returns a descriptor of signalfd(2), which Glibc's module does not have.
  private func makeReader(of signal: JobControlSignal, _ flags: Int32) throws -> Int32 {
    typealias Call = @convention(c) (Int32, UnsafePointer<sigset_t>, Int32) -> Int32
    let call = unsafeBitCast(try #require(dlsym(nil, "signalfd")), to: Call.self)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal.number)
    let descriptor = call(-1, &signals, flags)
    try #require(descriptor >= 0)
    return descriptor
  }

  @Test("A signalfd of the program is found, unless it is inherited or the time is up")
  func reader() throws {
    func isFound(_ signal: JobControlSignal, until deadline: DispatchTime) -> Bool {
      ProcessFiles.hasReader(of: signal, until: deadline)
    }
    #expect(!isFound(.continue, until: .distantFuture))
    let inherited = try makeReader(of: .continue, 0)
    defer { close(inherited) }
    #expect(!isFound(.continue, until: .distantFuture), "it may come from the parent")
    let own = try makeReader(of: .continue, O_CLOEXEC)
    defer { close(own) }
    #expect(isFound(.continue, until: .distantFuture))
    #expect(!isFound(.stop, until: .distantFuture))
    #expect(!isFound(.continue, until: .now()))
  }
}
