import Glibc
import LifecycleCore

// A client that uses the bus alone: what it loads, and what its start costs, every client pays.

let bus = LifecycleBus()
let scope = LifecycleScope("client")
bus.addObserver(for: [.didEnterBackground], in: scope) { event in print(event.kind) }
bus.phases.map(\.isForeground).sink { isForeground in print(isForeground) }.store(in: scope)
bus.send(.didBecomeActive)
bus.send(.didEnterBackground)

// Whoever counts looks at the process now.
fflush(nil)
_ = readLine()
