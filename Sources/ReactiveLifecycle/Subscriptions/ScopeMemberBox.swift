/// An entry that holds a member of a scope that is not an entry.
///
/// `@unchecked Sendable`, as its superclass is: it adds only a constant, which is `Sendable`.
final class ScopeMemberBox: ScopeEntry, @unchecked Sendable {
  private let member: any ScopeMember

  init(_ member: any ScopeMember) {
    self.member = member
  }

  override func scopeDidEnd() { member.scopeDidEnd() }

  override var hasEnded: Bool { member.hasEnded }
}
