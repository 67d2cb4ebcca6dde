import CustomDump
import LifecycleCombine
import ReactiveLifecycle
import TestSupport
import Testing

/// Scopes that are nested deeper than a stack would be.
@Suite("G9 Scopes: nested deeply")
struct G09DeepScopesTests {
  private static let depth = 100_000

  private func nested(_ trace: Trace) -> [LifecycleScope] {
    var scopes: [LifecycleScope] = []
    for number in 0..<Self.depth {
      let scope = LifecycleScope(parent: scopes.last)
      if number % (Self.depth / 4) == 0 { AnyCancellable { trace("\(number)") }.store(in: scope) }
      scopes.append(scope)
    }
    return scopes
  }

  @Test("The outermost ends: a stack of frames is not needed")
  func outermostEnds() {
    let trace = Trace()
    let scopes = nested(trace)
    scopes[0].end()
    #expect(scopes.allSatisfy { $0.isEnded })
    // What a scope holds of its own was inserted before its child.
    expectNoDifference(trace.lines, ["75000", "50000", "25000", "0"])
  }

  @Test("They are released, from the outermost, from the innermost, and in no order")
  func deepScopesAreReleased() {
    for order in ["outermost first", "innermost first", "every other first"] {
      let trace = Trace()
      var scopes: [LifecycleScope?] = nested(trace)
      switch order {
      case "outermost first": for index in scopes.indices { scopes[index] = nil }
      case "innermost first": for index in scopes.indices.reversed() { scopes[index] = nil }
      default:
        for index in scopes.indices where index % 2 == 1 { scopes[index] = nil }
        for index in scopes.indices { scopes[index] = nil }
      }
      expectNoDifference(trace.lines, ["75000", "50000", "25000", "0"], order)
    }
  }

  @Test("An outermost scope that nobody else knows takes all of them with it")
  func oneReference() {
    let trace = Trace()
    var outermost: LifecycleScope? = LifecycleScope()
    var inner: [LifecycleScope] = []
    for number in 1...Self.depth {
      inner.append(LifecycleScope(parent: inner.last ?? outermost))
      AnyCancellable { if number == Self.depth { trace("innermost") } }.store(in: inner.last!)
    }
    outermost = nil
    #expect(outermost == nil && inner.allSatisfy { $0.isEnded })
    expectNoDifference(trace.lines, ["innermost"])
  }
}
