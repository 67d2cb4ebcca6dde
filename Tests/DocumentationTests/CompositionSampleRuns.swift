import CustomDump
import LifecycleSources
import ReactiveLifecycle
import Testing

@Suite("Documentation samples about composition run")
@MainActor
struct CompositionSampleRuns {
  let samples = CompositionSamples()

  @Test("The table of the article is right")
  func tableOfRoles() throws {
    expectNoDifference(try samples.roles(), [.active, .inactive, .inactive, .background])
  }

  @Test("A ceiling holds the bus down")
  func ceilingHoldsBusDown() throws {
    #expect(try samples.lock(ScriptedSource("lock")) == .inactive)
  }

  @Test("A screen is active while it is shown in an active application")
  func screenIsActiveWhileItIsShown() throws {
    expectNoDifference(samples.screens(), [.active, .background, .background])
    #expect(try samples.connectedScreen() == .background)
  }

  @Test("Diagnostics are a value")
  func diagnosticsAreValue() {
    samples.bus.send(.didBecomeActive)
    expectNoDifference(samples.diagnostics().participants.map(\.name), [.application])
  }

  @Test("The bus of the application can be another one in a test")
  func busOfApplicationCanBeAnotherOneInTest() {
    let screen = samples.injection()
    var refreshes: [Duration] = []
    let scope = LifecycleScope()
    LifecycleBus.withApplication(screen.bus) {
      samples.application(scope) { refreshes.append($0) }
    }
    screen.bus.send(.didEnterBackground)
    screen.bus.send(.didBecomeActive)
    expectNoDifference(refreshes, [.zero])
  }

  @Test("An asynchronous operation and its tasks keep the bus that it was given")
  func applicationOfATask() async {
    let bus = LifecycleBus()
    let inner = LifecycleBus()
    await LifecycleBus.withApplication(bus) {
      await Task.yield()
      MainActor.assertIsolated()
      #expect(LifecycleBus.application === bus)
      await Task { #expect(LifecycleBus.application === bus) }.value
      LifecycleBus.withApplication(inner) { #expect(LifecycleBus.application === inner) }
      #expect(LifecycleBus.application === bus)
    }
  }
}
