/// An object that is not kept alive.
struct Weak<Object: AnyObject & Sendable>: Sendable {
  weak let object: Object?

  init(_ object: Object) { self.object = object }

  var isAlive: Bool { object != nil }
}
