import ArgumentParser

/// A kind of child: who takes Ctrl-Z, and where its byte is written.
enum Peer: String, CaseIterable, ExpressibleByArgument {
  case bareHandler = "bare-handler"
  case wakingHandler = "waking-handler"
  case nonisolatedBus = "nonisolated-bus"
  case mainActorBus = "main-actor-bus"

  /// What the tables call it.
  var title: String {
    switch self {
    case .bareHandler: "bare handler"
    case .wakingHandler: "handler that wakes a thread"
    case .nonisolatedBus: "nonisolated bus"
    case .mainActorBus: "main-actor bus"
    }
  }

  /// Whether the signal source is connected in it.
  var isBus: Bool { self == .nonisolatedBus || self == .mainActorBus }
}
