// A process of its own, run by tests, with nothing linked but ReactiveLifecycle. The first argument
// says what it shows, the second how.

switch Array(CommandLine.arguments.dropFirst()) {
case ["race", "guarded"]: race(GuardedCount.self)
case ["race", "guarded-array"]: race(GuardedArrayCount.self)
case ["race", "guarded-tuple"]: race(GuardedTupleCount.self)
case ["race", "unguarded"]: race(UnguardedCount.self)
case ["main-thread", "main-first"]: askFromEverywhere(isOtherFirst: false)
case ["main-thread", "other-first"]: askFromEverywhere(isOtherFirst: true)
default: fatalError("usage: thread-probe race|main-thread HOW")
}
