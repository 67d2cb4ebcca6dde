import CustomDump
import ExpectationModels
import Testing

@testable import LifecycleTesting

@Suite("The name of a property")
@MainActor
struct PropertyNameTests {
  @Test("It is that of the source code", .enabled(if: hasGetterSymbols, hasNoGetterSymbols))
  func names() {
    expectNoDifference(
      [
        PropertyName(\RentalModel.remainingMinutes), PropertyName(\RentalModel.screen.rows),
        PropertyName(\ObservableModel.names), PropertyName(\ObservableModel.names.isEmpty),
        PropertyName(\Named.größe), PropertyName(\Named.$count),
        PropertyName(\Named.inherited), PropertyName(\Named.Inner<Int>.value),
      ]
      .map { $0?.text },
      [
        "remainingMinutes", "rows", "names", "isEmpty", "größe", "$count",
        "inherited", "value",
      ]
    )
  }

  @Test("A subscript has none, nor has a name in backticks")
  func noName() {
    expectNoDifference(PropertyName(\Named.`is open`), nil)
    expectNoDifference(PropertyName(\Named[3]), nil)
    expectNoDifference(PropertyName(\Named[named: 3]), nil)
  }

  @Test(
    "It is read from the demangled getter, or else there is none",
    arguments: [
      ("App.Model.count : Swift.Int : App.Model", "count"),
      ("App.Model.(count in _6E2F) : Swift.Int : App.Model", "count"),
      ("App.(Model in _6E2F).count : Swift.Int : App.(Model in _6E2F)", "count"),
      ("(extension in App):Swift.Array.last : A : [Swift.Int]", "last"),
      ("count : Swift.Int in Local #1 in App.run() -> () : Local #1 in App.run() -> ()", "count"),
      ("App.`a.b : c`.Model.count : Swift.Int : App.`a.b : c`.Model", "count"),
      ("App.Model.`a.b : c` : Swift.Int : App.Model", nil),
      ("App.Model.subscript(Swift.Int) -> Swift.Int : App.Model", nil),
      ("App.Model.subscript(at: Swift.Int) -> Swift.Int : App.Model", nil),
      ("App.Model.count", nil),
      ("", nil),
    ] as [(String, String?)]
  )
  func demangledGetter(_ symbol: String, _ name: String?) {
    expectNoDifference(PropertyName(demangledGetter: "key path getter for \(symbol)")?.text, name)
    expectNoDifference(PropertyName(demangledGetter: "key path setter for \(symbol)"), nil)
    expectNoDifference(PropertyName(demangledGetter: symbol), nil)
  }

  @Test(
    "The getter is the last of the key path",
    arguments: [
      (#"\Model.<computed 0x000055a78ea13930 (Int)>"#, 0x55A7_8EA1_3930),
      (#"\Model.<computed 0x01 (A)>.<computed 0x02 (Optional<(Int, B)>)>"#, 2),
      (#"\Model.<computed 0x01 (Int)>?"#, nil),
      (#"\Model.<computed 0xg1 (Int)>"#, nil),
      (#"\Model.<computed 0x11111111111111111 (Int)>"#, nil),
      (#"\Model.<offset 16 (Int)>"#, nil),
    ] as [(String, UInt64?)]
  )
  func getterAddress(_ description: String, _ address: UInt64?) {
    expectNoDifference(PropertyName.getterAddress(inDescription: description), address)
  }
}

private class Parent {
  var inherited: Int { 1 }
}

private final class Named: Parent {
  struct Inner<Value> {
    var value: Value? { nil }
  }

  @Counted var count = 1
  var größe: Int { 2 }
  var `is open`: Bool { true }
  fileprivate subscript(index: Int) -> Int { index }
  fileprivate subscript(named index: Int) -> Int { index }
}

@propertyWrapper
private struct Counted {
  var wrappedValue: Int
  var projectedValue: Int { 3 }
}
