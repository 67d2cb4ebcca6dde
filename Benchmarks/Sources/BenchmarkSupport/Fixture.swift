/// What a row measures, made ready.
public struct Fixture {
  /// Performs the operation that often. The loop stands inside, so that the compiler sees it whole.
  let operate: (_ count: Int) -> Void
  /// Compares how often the observers were called with the number of operations so far.
  let check: (_ operations: Int) throws -> Void
  private let kept: Any

  /// A fixture that keeps the observers alive.
  ///
  /// - Parameters:
  ///   - kept: What must stay alive: tokens, owners, slots.
  ///   - operate: Performs the operation that often.
  ///   - check: Throws when an observer was called the wrong number of times.
  public init(
    keeping kept: Any,
    operate: @escaping (_ count: Int) -> Void,
    check: @escaping (_ operations: Int) throws -> Void
  ) {
    self.kept = kept
    self.operate = operate
    self.check = check
  }
}
