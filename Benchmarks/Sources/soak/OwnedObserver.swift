import ReactiveLifecycle

/// An owner of observers, whose release ends them.
///
/// The last reference may be that of a thread that looks whether the owner is alive, for instance
/// for diagnostics. So the check learns of the release from the owner itself: after it, no call can
/// be running.
final class Owner: Sendable {
  private let canary: Canary

  init(of check: ObserverCheck, _ census: SharedCount) {
    canary = Canary(census) { check.didCancel(isInDelivery: true) }
  }
}

/// An owner that does not leave the main actor.
@MainActor
final class MainActorOwner {
  private let owner: Owner

  init(of check: ObserverCheck, _ census: SharedCount) {
    owner = Owner(of: check, census)
  }
}

extension World {
  /// Adds observers of a bus that have an owner, and returns the owner.
  func owner(of observed: ObservedBus) -> Owner {
    let check = check(.owner, of: observed)
    let owner = Owner(of: check, census)
    let canary = canary(of: observed)
    _ = check.registering {
      observed.addObserver(owner) { _, event in
        withExtendedLifetime(canary) { check.receive(event) }
      }
    }
    observed.onReturn(owner) { [returns = ReturnCheck(of: observed, faults)] _, stay in
      returns.receive(stay)
    }
    return owner
  }

  /// Adds an observer of the bus of the main actor that has an owner, and returns the owner.
  @MainActor
  func mainActorOwner(of observed: ObservedBus) -> MainActorOwner {
    let check = check(.owner, of: observed)
    let owner = MainActorOwner(of: check, census)
    _ = check.registering {
      mainBus.addObserver(owner) { _, event in check.receive(event) }
    }
    return owner
  }
}
