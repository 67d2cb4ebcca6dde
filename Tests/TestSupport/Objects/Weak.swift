/// An object that is not kept alive.
public struct Weak<Object: AnyObject & Sendable>: Sendable {
  public weak let object: Object?

  public init(_ object: Object) { self.object = object }

  public var isAlive: Bool { object != nil }
}
