import ArgumentParser
import Foundation
import LifecycleJournaling
import ReactiveLifecycle

/// Opens a journal, and starts a child that executes no other program. Prints the number of the child.
struct ForkedJournal: ParsableCommand {
  @Argument var path: String

  func run() throws {
    let bus = NonisolatedLifecycleBus()
    let journal = try LifecycleJournal(at: path, of: bus)
    bus.send(.didBecomeActive)
    // Swift hides it, because what a process with threads may do in its child is little.
    typealias Fork = @convention(c) () -> pid_t
    let fork = unsafeBitCast(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork"), to: Fork.self)
    let child = fork()
    while child == 0 { pause() }
    printLine("\(child)")
    withExtendedLifetime(journal) { while true { sleep(1_000) } }
  }
}
