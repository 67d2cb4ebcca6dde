// The only import of Combine in the package: Combine where there is one, OpenCombine elsewhere.
//
// Not OpenCombineShim: on Linux that links FoundationNetworking, and with it curl and OpenSSL.
//
// A module of its own, in the language mode of Swift 5. Where a closure that belongs to an actor is
// given to Combine, which is no Swift 6 module, the compiler adds a check that it is called on that
// actor, but not in a file that gets Combine from the re-export of a Swift 6 module (6.3.1).
#if canImport(Combine)
  @_exported public import Combine
#else
  @_exported public import OpenCombine
#endif
