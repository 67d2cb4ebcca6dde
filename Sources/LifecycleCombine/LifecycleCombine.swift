// The only import of Combine in the package: Combine where it is available, OpenCombine elsewhere.
//
// OpenCombineShim is not used, because on Linux it links FoundationNetworking, and with it curl and
// OpenSSL.
//
// This is a separate module, in the Swift 5 language mode. When an actor-isolated closure is passed
// to Combine, which is not a Swift 6 module, the compiler adds a check that the closure is called
// on that actor, but not in a file that gets Combine from a re-export of a Swift 6 module (6.3.1).
#if canImport(Combine)
  @_exported public import Combine
#else
  @_exported public import OpenCombine
#endif
