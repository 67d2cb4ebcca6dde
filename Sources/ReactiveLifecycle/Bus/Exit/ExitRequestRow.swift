/// An observer of exit requests. It receives no events.
protocol ExitObserver: ObserverRow {
  var question: ExitQuestion { get }
}

/// An observer of exit requests.
///
/// `@unchecked Sendable`, as its superclass is: it adds only a constant, which is `Sendable`.
final class ExitRequestRow: ObserverRow, ExitObserver, @unchecked Sendable {
  let question: ExitQuestion

  init(
    core: LifecycleBusCore,
    site: CallSite,
    identity: ObserverIdentity? = nil,
    body: @escaping ExitQuestion.Body
  ) {
    question = ExitQuestion(core.context, body)
    super.init(core: core, kinds: [], site: site, identity: identity)
  }

  override func clear() { question.clear() }
}

/// An observer of exit requests with an owner that it does not keep alive.
///
/// `@unchecked Sendable`, as its superclass is: it adds only a constant, which is `Sendable`.
final class OwnerExitRequestRow: OwnerRow, ExitObserver, @unchecked Sendable {
  let question: ExitQuestion

  init(
    core: LifecycleBusCore,
    site: CallSite,
    identity: ObserverIdentity?,
    owner: AnyObject,
    body: @escaping ExitQuestion.Body
  ) {
    question = ExitQuestion(core.context, body)
    super.init(
      core: core,
      kinds: [],
      site: site,
      identity: identity,
      owner: owner,
      body: { _, _ in }
    )
  }

  override func clear() {
    super.clear()
    question.clear()
  }
}
