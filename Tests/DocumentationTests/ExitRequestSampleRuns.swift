import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Documentation samples of exit requests run")
@MainActor
struct ExitRequestSampleRuns {
  private let samples = ExitRequestSamples()
  private let bus = LifecycleBus(clock: ManualClock())

  @Test("A dialog decides; without changes nobody is asked")
  func dialog() async {
    let editor = ExitRequestSamples.Editor()
    let scope = LifecycleScope("editor")
    samples.observe(bus, editor, in: scope)
    await samples.end(bus)
    editor.userSaves = false
    await samples.end(bus)
    editor.hasChanges = false
    await samples.end(bus)
    expectNoDifference(samples.output.count, 3)
    expectNoDifference([samples.output[0], samples.output[2]], ["quit", "quit"])
    #expect(samples.output[1].hasPrefix("cancelled by ["))
    scope.end()
  }

  @Test("The forms of both buses answer")
  func forms() async {
    let editor = ExitRequestSamples.Editor()
    editor.observe(bus)
    let ofEditor = await samples.observeTwice(bus, editor)
    expectNoDifference(ofEditor.cancelledBy.count, 3)
    let service = NonisolatedLifecycleBus(clock: ManualClock())
    let upload = ExitRequestSamples.Upload()
    upload.observe(service)
    let ofUpload = await samples.observeUpload(service, upload)
    expectNoDifference(ofUpload.cancelledBy.count, 3)
  }

  private struct Sensor: LifecycleSource {
    let name: LifecycleSourceName = "sensor"
    let trace: Trace

    func start(_ input: LifecycleFeed) throws -> @Sendable () -> Void {
      trace("on")
      return { [trace] in trace("off") }
    }
  }

  @Test("A sensor is on while somebody observes")
  func sensor() {
    let trace = Trace()
    let connection = samples.observed(bus, Sensor(trace: trace))
    bus.addObserver(for: .didReceiveMemoryWarning) { _ in }.cancel()
    expectNoDifference(trace.lines, ["on", "off"])
    connection.cancel()
  }
}
