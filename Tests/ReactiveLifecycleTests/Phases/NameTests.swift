import CustomDump
import ReactiveLifecycle
import Testing

@Suite("Names of sources and kinds")
struct NameTests {
  @Test("Each distinct name is kept, whether anything uses it or not")
  func distinctNamesAreKept() {
    // A copy is plain bits: no count of uses could tell when a name is no longer needed.
    #expect(_isPOD(LifecycleSourceName.self))
    #expect(_isPOD(LifecycleEvent.Kind.self))
    func number(_ text: String) -> UInt32 {
      unsafeBitCast(LifecycleSourceName(rawValue: text), to: UInt32.self)
    }
    // Too long to be stored in the string itself.
    let texts = (0..<100).map { "a source that comes and goes, number \($0)" }
    let numbers = texts.map(number)
    expectNoDifference(Set(numbers).count, texts.count)
    expectNoDifference(texts.reversed().map(number), numbers.reversed())
    for (text, number) in zip(texts, numbers) {
      expectNoDifference(unsafeBitCast(number, to: LifecycleSourceName.self).rawValue, text)
    }
  }
}
