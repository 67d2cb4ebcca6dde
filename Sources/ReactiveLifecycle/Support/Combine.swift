// The only import of Combine in the package, by name: `import ReactiveLifecycle` is enough for
// `map`, `sink` and `AnyCancellable`, and leaves the names of ready-made publishers, such as
// `Record` and `Empty`, to the modules that clients import beside it.
//
// Not OpenCombineShim: on Linux that links FoundationNetworking, and with it curl and OpenSSL.
#if canImport(Combine)
  @_exported import class Combine.AnyCancellable
  @_exported import struct Combine.AnyPublisher
  @_exported import struct Combine.AnySubscriber
  @_exported import protocol Combine.Cancellable
  @_exported import struct Combine.CombineIdentifier
  @_exported import class Combine.CurrentValueSubject
  @_exported import protocol Combine.CustomCombineIdentifierConvertible
  @_exported import protocol Combine.ObservableObject
  @_exported import class Combine.ObservableObjectPublisher
  @_exported import class Combine.PassthroughSubject
  @_exported import struct Combine.Published
  @_exported import protocol Combine.Publisher
  @_exported import enum Combine.Publishers
  @_exported import protocol Combine.Scheduler
  @_exported import protocol Combine.SchedulerTimeIntervalConvertible
  @_exported import protocol Combine.Subject
  @_exported import protocol Combine.Subscriber
  @_exported import enum Combine.Subscribers
  @_exported import protocol Combine.Subscription
#else
  @_exported import class OpenCombine.AnyCancellable
  @_exported import struct OpenCombine.AnyPublisher
  @_exported import struct OpenCombine.AnySubscriber
  @_exported import protocol OpenCombine.Cancellable
  @_exported import struct OpenCombine.CombineIdentifier
  @_exported import class OpenCombine.CurrentValueSubject
  @_exported import protocol OpenCombine.CustomCombineIdentifierConvertible
  @_exported import protocol OpenCombine.ObservableObject
  @_exported import class OpenCombine.ObservableObjectPublisher
  @_exported import class OpenCombine.PassthroughSubject
  @_exported import struct OpenCombine.Published
  @_exported import protocol OpenCombine.Publisher
  @_exported import enum OpenCombine.Publishers
  @_exported import protocol OpenCombine.Scheduler
  @_exported import protocol OpenCombine.SchedulerTimeIntervalConvertible
  @_exported import protocol OpenCombine.Subject
  @_exported import protocol OpenCombine.Subscriber
  @_exported import enum OpenCombine.Subscribers
  @_exported import protocol OpenCombine.Subscription
#endif
