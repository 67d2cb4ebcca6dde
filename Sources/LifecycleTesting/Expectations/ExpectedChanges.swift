import CustomDump
import ReactiveLifecycle

/// What a test expects of the properties of a model, where a closure given to
/// ``LifecycleScript/expect(_:after:changes:fileID:filePath:line:column:)`` says it.
///
/// Any property that is `Equatable` can be read, and set, as if it were a property of this value:
/// computed ones and those that only the model can set too. Reading gives what was set, or else what the
/// model has. The model is never written to; what an object says that the model refers to must not be
/// set through it, as that is not a copy.
@dynamicMemberLookup
public struct ExpectedChanges<Model: AnyObject> {
  private let model: Model
  private(set) var properties: [Property] = []

  init(_ model: Model) {
    self.model = model
  }

  /// What is expected of a property.
  public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<Model, Value>) -> Value {
    get {
      guard let property = properties.first(where: { $0.keyPath == keyPath }) else {
        return model[keyPath: keyPath]
      }
      return property.expected as! Value
    }
    set {
      if let index = properties.firstIndex(where: { $0.keyPath == keyPath }) {
        properties[index].expected = newValue
      } else {
        properties.append(Property(keyPath, of: model, expected: newValue))
      }
    }
  }

  /// A property of the model, and what is expected of it.
  struct Property {
    let keyPath: PartialKeyPath<Model>
    let original: any Equatable
    var expected: any Equatable
    let actual: () -> any Equatable

    init<Value: Equatable>(_ keyPath: KeyPath<Model, Value>, of model: Model, expected: Value) {
      self.keyPath = keyPath
      self.expected = expected
      original = model[keyPath: keyPath]
      actual = { model[keyPath: keyPath] }
    }
  }
}

extension ExpectedChanges {
  /// What is to be reported about the model as it is now; nil if it is as expected.
  var complaint: String? {
    let compared = properties.enumerated().map { index, property in
      ComparedProperty(
        name: property.name(index + 1, of: properties.count),
        expected: property.expected,
        actual: property.actual()
      )
    }
    let different = compared.filter { !$0.expected.isEqual(to: $0.actual) }
    if !different.isEmpty { return difference(different) }
    guard properties.allSatisfy({ $0.expected.isEqual(to: $0.original) }) else { return nil }
    return """
      No difference detected after applying changes: \
      \(properties.isEmpty ? "no property was named" : "what was named was to stay as it was"). To \
      test that nothing changes, perform the steps, and compare the properties with #expect.
      """
  }

  private func difference(_ properties: [ComparedProperty]) -> String {
    let format = DiffFormat.proportional
    // Never nil, as the values differ.
    let difference = diff(
      ComparedModel(model: model, properties: properties.map { ($0.name, $0.expected) }),
      ComparedModel(model: model, properties: properties.map { ($0.name, $0.actual) }),
      format: format
    )
    let indented = (difference ?? "").split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
    return "Difference: …\n\n\(indented)\n\n(Expected: \(format.first), Actual: \(format.second))"
  }
}

extension ExpectedChanges.Property {
  /// The name of the property. That of a computed one, as those of observable models are, can't be told
  /// on every platform: an address and the type stand where it would be.
  fileprivate func name(_ number: Int, of count: Int) -> String {
    let name = String(describing: keyPath).split(separator: ".").last ?? ""
    guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
      return "\(type(of: keyPath).valueType) (property \(number) of \(count))"
    }
    return String(name)
  }
}

private struct ComparedProperty {
  let name: String
  let expected: any Equatable
  let actual: any Equatable
}

/// Dumped as if it were the model with these properties.
private struct ComparedModel: CustomDumpReflectable {
  let model: Any
  let properties: [(name: String, value: any Equatable)]

  var customDumpMirror: Mirror {
    Mirror(
      model,
      children: properties.map { property in
        (
          label: property.name,
          value: (property.value as? Duration).map(Seconds.init) ?? property.value
        )
      },
      displayStyle: .struct
    )
  }
}

extension Equatable {
  fileprivate func isEqual(to other: any Equatable) -> Bool {
    (other as? Self).map { $0 == self } ?? false
  }
}
