/// What a duty cycle does, as rules about lists of values, with calls that last.
struct DutyCycleOracle {
  enum Input: CaseIterable {
    case background, foreground
    /// From the current upstream, which was asked for it.
    case value
    /// From an earlier subscription.
    case staleValue
    /// The subscription that was made last is there: upstream's, or the rest's.
    case connect
    /// Upstream finishes, or the rest is over.
    case finish
    case request, callReturns, cancel, busEnd
  }

  enum Link { case none, awaited, upstream, restAwaited, rest }

  let burst: Int
  let deliversAll: Bool
  private(set) var link = Link.awaited
  private(set) var isOver = false
  private(set) var isCalling = false
  private(set) var credit: Int
  /// The values that may be handed out.
  private(set) var ready: [Int] = []
  private var held: Int?
  private var isInBackground = false
  private var count = 0
  private(set) var isClosing = false
  private var skipsRest = false
  private var isCompleting = false
  private var number = 0

  init(burst: Int, deliversAll: Bool, credit: Int) {
    self.burst = burst
    self.deliversAll = deliversAll
    self.credit = credit
  }

  mutating func feed(_ input: Input) -> [String] {
    guard !isOver else { return [] }
    switch input {
    case .background:
      if !isInBackground, !isCompleting { count = 0 }
      isInBackground = true
    case .foreground:
      guard isInBackground else { return [] }
      isInBackground = false
      switch link {
      case .none: return []
      case .awaited, .upstream:
        if isClosing { isClosing = false } else { release() }
        return pump()
      case .restAwaited: skipsRest = true
      case .rest: return resume()
      }
    case .value:
      guard link == .upstream else { return [] }
      number += 1
      guard !isClosing else { return [] }
      guard isInBackground else {
        ready.append(number)
        return pump()
      }
      count += 1
      held = nil
      if deliversAll || count == burst { ready.append(number) } else { held = number }
      isClosing = count == burst
      return pump() + restIfClosed()
    case .staleValue: break
    case .connect:
      if link == .awaited { link = .upstream }
      guard link == .restAwaited else { return [] }
      link = .rest
      return skipsRest ? resume() : []
    case .finish:
      if link == .rest || link == .restAwaited { return resume() }
      guard link != .none else { return [] }
      return end([])
    case .request:
      credit += 1
      return pump()
    case .callReturns:
      guard isCalling else { return [] }
      isCalling = false
      return pump() + restIfClosed()
    case .cancel:
      isOver = true
      return link == .none ? [] : ["stop"]
    case .busEnd:
      guard !isCompleting else { return [] }
      return end(["stop"])
    }
    return []
  }

  private mutating func end(_ first: [String]) -> [String] {
    link = .none
    isClosing = false
    release()
    isCompleting = true
    return first + pump()
  }

  private mutating func release() {
    if let held { ready.append(held) }
    held = nil
  }

  private mutating func pump() -> [String] {
    guard !isCalling else { return [] }
    if credit > 0, !ready.isEmpty {
      credit -= 1
      isCalling = true
      return ["\(ready.removeFirst())"]
    }
    guard ready.isEmpty, isCompleting else { return [] }
    isOver = true
    return ["finished"]
  }

  private mutating func restIfClosed() -> [String] {
    guard isClosing, !isCalling, !isOver else { return [] }
    isClosing = false
    skipsRest = false
    link = .restAwaited
    return ["stop", "rest"]
  }

  private mutating func resume() -> [String] {
    count = 0
    link = .awaited
    return ["stop", "subscribe"]
  }
}
