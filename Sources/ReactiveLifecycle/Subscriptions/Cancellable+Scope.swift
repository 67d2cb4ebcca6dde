extension AnyCancellable {
  /// Stores the cancellable in a scope, which cancels it when it ends.
  ///
  /// The scope cancels it once, on the thread that ends the scope. End the scope on the main actor,
  /// or hold it in an object that is released there, if the cancellable does something that belongs
  /// there. Keep no other reference to it that another thread cancels: OpenCombine's
  /// `AnyCancellable` does not allow that.
  ///
  /// On a scope that has ended it is cancelled at once, and that is reported at the caller's line.
  ///
  /// ```swift
  /// bus.events.sink { print($0.kind) }.store(in: scope)
  /// ```
  public func store(
    in scope: LifecycleScope,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let box = CancellableBox(self)
    scope.core.insert(site) { _ in .cancellable(box) }
  }
}

extension Cancellable where Self: Sendable {
  /// Stores the cancellable, such as a token or a source's connection, in a scope, which cancels it
  /// when it ends.
  ///
  /// On a scope that has ended it is cancelled at once, and that is reported at the caller's line.
  public func store(
    in scope: LifecycleScope,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let box = CancellableBox(self)
    scope.core.insert(site) { _ in .cancellable(box) }
  }
}

/// A cancellable that is cancelled once.
///
/// `@unchecked Sendable`: the reference is never touched but to be cancelled and released, and only
/// by the one thread that took the box out of the scope's table under the scope's lock.
final class CancellableBox: @unchecked Sendable {
  private let cancellable: any Cancellable

  init(_ cancellable: any Cancellable) {
    self.cancellable = cancellable
  }

  func cancel() {
    cancellable.cancel()
  }
}
