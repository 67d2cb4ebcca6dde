import CustomDump
import LifecycleCore
import LifecycleTesting
import Observation
import TestSupport
import Testing

@Suite("Recording properties of observable models")
@MainActor
struct RecordModelTests {
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  @Observable
  final class Model {
    var remaining = 3
    var title = "idle"
    var rows: [String] = []
    var half: Int { remaining / 2 }
  }

  private let lifecycle = ScriptedLifecycle()
  private let scope = LifecycleScope("test")

  @Test("The transcript has each change between its event and the next one")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func inPlace() {
    let model = Model()
    lifecycle.bus.addObserver(in: scope) { event in
      model.remaining -= 1
      model.title = "\(event.kind)"
      model.remaining += 5
    }
    lifecycle.transcribe(model, \.remaining, as: "remaining")
    lifecycle.transcribe(model, \.title, as: "title")
    lifecycle.perform(.launch, .advance(by: .seconds(2)), .becomeActive)
    model.remaining = 0
    lifecycle.perform(.advance(by: .seconds(1)))
    expectLifecycle(
      lifecycle,
      matches: """
          [0 s unknown] remaining: 3
          [0 s unknown] title: idle
        launch
          [0 s background] didFinishLaunching
          [0 s background] remaining: 2
          [0 s background] title: didFinishLaunching
          [0 s background] remaining: 7
        advance(by: 2 s)
        becomeActive
          [2 s inactive] willEnterForeground
          [2 s inactive] remaining: 6
          [2 s inactive] title: willEnterForeground
          [2 s inactive] remaining: 11
          [2 s active] didBecomeActive
          [2 s active] remaining: 10
          [2 s active] title: didBecomeActive
          [2 s active] remaining: 15
          [2 s active] remaining: 0
        advance(by: 1 s)
        """
    )
  }

  @Test("Several changes in one step are recorded, also back to the same value")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func severalChanges() {
    let model = Model()
    let recorder = lifecycle.transcribe(model, \.remaining, as: "remaining")
    model.remaining = 5
    model.remaining = 3
    model.remaining = 3
    model.remaining = 4
    model.remaining = 3
    expectNoDifference(recorder.elements, [3, 5, 3, 4, 3])
    expectNoDifference(recorder.takeElements().count, 5)
    expectNoDifference(recorder.takeElements(), [])
  }

  @Test("Changes in place and changes behind a computed property are recorded")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func inPlaceAndComputed() {
    let model = Model()
    let rows = lifecycle.transcribe(model, \.rows, as: "rows")
    let half = lifecycle.transcribe(model, \.half, as: "half")
    model.rows.append("a")
    model.rows.append("b")
    for _ in 0..<3 { model.remaining += 1 }
    expectNoDifference(rows.elements, [[], ["a"], ["a", "b"]])
    expectNoDifference(half.elements, [1, 2, 3])
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  @Observable
  final class Article {
    var isLoading = true
    var text = "a"
    var author = Author("one")
    var title: String { isLoading ? "loading" : text }
    var authorName: String { author.name }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  @Observable
  final class Author {
    var name: String
    init(_ name: String) { self.name = name }
  }

  @Test("A change of a property that a computed one reads only since another change is recorded")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func laterDependencies() {
    let article = Article()
    let title = lifecycle.transcribe(article, \.title, as: "title")
    let author = lifecycle.transcribe(article, \.authorName, as: "author")
    lifecycle.perform(.launch)
    article.isLoading = false
    article.author = Author("two")
    lifecycle.perform(.becomeActive)
    article.text = "b"
    article.author.name = "three"
    article.text = "c"
    article.author.name = "four"
    expectNoDifference(title.elements, ["loading", "a", "b", "c"])
    expectNoDifference(author.elements, ["one", "two", "three", "four"])
    // What it reads changes, and its value does not.
    article.isLoading = true
    article.text = "loading"
    expectNoDifference(title.elements.last, "loading")
    article.isLoading = false
    for _ in 0..<1_000 { lifecycle.perform(.advance(by: .seconds(1))) }
    article.text = "d"
    expectNoDifference(title.takeElements().suffix(2), ["loading", "d"])
  }

  @Test("A task that waits for the next value receives a change that comes later")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func nextValue() async throws {
    let model = Model()
    let recorder = lifecycle.transcribe(model, \.title, as: "title")
    #expect(try await recorder.next() == "idle")
    Task { model.title = "later" }
    #expect(try await recorder.next() == "later")
  }

  @Test("Recording ends with the recorder, and with the process, and keeps no model")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func ends() {
    lifecycle.perform(.launch)
    var local: Model? = Model()
    let released = Weak(local!)
    let recorder = lifecycle.transcribe(local!, \.remaining, as: "remaining")
    local!.remaining = 2
    local = nil
    #expect(released.object == nil)
    let model = Model()
    let cancelled = lifecycle.transcribe(model, \.remaining, as: "remaining")
    model.remaining = 2
    cancelled.cancel()
    model.remaining = 1
    expectNoDifference(cancelled.elements, [3, 2])
    let killed = lifecycle.transcribe(model, \.remaining, as: "remaining")
    model.remaining = 0
    lifecycle.perform(.kill)
    model.remaining = 7
    expectNoDifference(killed.elements, [1, 0])
    withExtendedLifetime(recorder) {}
  }

  @Test("A change that leaves the value equal does not keep a released recorder alive")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func equalValueKeepsNothing() {
    var model: Model? = Model()
    weak var core: AnyObject?
    do {
      let lifecycle = ScriptedLifecycle()
      let recorder = lifecycle.transcribe(model!, \.half, as: "half")
      core = Mirror(reflecting: recorder).descendant("core") as AnyObject
      model!.remaining = 2
      expectNoDifference(recorder.elements, [1])
    }
    #expect(core != nil)
    model = nil
    #expect(core == nil)
  }

  @Test("A pending change is recorded on the main actor, not when another thread reads")
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func readOnAnotherThread() {
    let model = Model()
    let recorder = lifecycle.transcribe(model, \.remaining, as: "remaining")
    model.remaining = 5
    expectNoDifference(onOtherThread { recorder.elements }, [3])
    expectNoDifference(recorder.elements, [3, 5])
  }
}
