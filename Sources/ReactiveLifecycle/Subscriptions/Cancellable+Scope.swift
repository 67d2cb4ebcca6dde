public import LifecycleCombine

extension AnyCancellable {
  /// Stores the cancellable in a scope, which cancels it when it ends.
  ///
  /// The scope cancels it once, on the thread that ends the scope. End the scope on the main actor,
  /// or hold it in an object that is released there, if the cancellable does something that belongs
  /// there. Keep no other reference to it that another thread cancels: OpenCombine's
  /// `AnyCancellable` does not allow that.
  ///
  /// The scope can't know whether the cancellable has been cancelled elsewhere, or its publisher has
  /// completed: it holds it until the scope ends, as a `Set<AnyCancellable>` does. Such a `sink` takes
  /// 200 to 450 bytes. In a scope that lives as long as the process, store publishers that go on, and
  /// give requests that come and go a scope each, with this one as the parent.
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
    scope.core.store(CancellableBox(self), site)
  }
}

extension Cancellable where Self: Sendable {
  /// Stores the cancellable, such as a token or a source's connection, in a scope, which cancels it
  /// when it ends.
  ///
  /// A token, connection, registration or timer of this library that has ended elsewhere is released
  /// by the scope as others are stored.
  ///
  /// - Complexity: O(log *n*) in the members of the scope, amortized.
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
    let box = (self as? any ScopeMember).map(CancellableBox.init(member:)) ?? CancellableBox(self)
    scope.core.store(box, site)
  }
}

/// A cancellable that knows when there is nothing left to cancel, so that a scope can let go of it.
protocol ScopeMember: AnyObject, Cancellable, Sendable {
  /// Whether it has been cancelled, or has ended otherwise. Asked for under the lock of a scope, so it
  /// must call nobody.
  var hasEnded: Bool { get }
}

/// A cancellable that is cancelled once.
///
/// `@unchecked Sendable`: the reference is never touched but to be cancelled and released, and only
/// by the one thread that took the box out of the scope's table under the scope's lock.
final class CancellableBox: @unchecked Sendable {
  private enum Content {
    case cancellable(any Cancellable)
    case member(any ScopeMember)
  }

  private let content: Content

  init(_ cancellable: any Cancellable) {
    content = .cancellable(cancellable)
  }

  init(member: any ScopeMember) {
    content = .member(member)
  }

  var hasEnded: Bool {
    if case .member(let member) = content { member.hasEnded } else { false }
  }

  func cancel() {
    switch content {
    case .cancellable(let cancellable): cancellable.cancel()
    case .member(let member): member.cancel()
    }
  }
}
