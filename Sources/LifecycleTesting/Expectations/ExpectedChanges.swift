import CustomDump
import IssueReporting
import LifecycleCore

extension ScriptedLifecycle {
  /// Performs the steps, and expects that they change the properties of a model as the closure
  /// states. Properties that the closure does not name are not compared.
  ///
  /// ```swift
  /// lifecycle.expect(viewModel, after: .background(for: .seconds(90))) {
  ///   $0.remainingSeconds -= 90
  /// }
  /// ```
  ///
  /// A property whose value differs from the expected one fails the test at the caller's line. So
  /// does an expectation without a change: for that case, call
  /// ``perform(_:fileID:filePath:line:column:)-kn11`` and compare. If a step is impossible, only
  /// that is reported. To compare the whole of a value, perform the steps in the operation of
  /// custom-dump's `expectDifference`.
  ///
  /// - Parameters:
  ///   - model: The model whose properties are compared. It is not changed.
  ///   - steps: The steps to perform.
  ///   - changes: Sets the properties to their expected values. Called before the steps, with the
  ///     properties as they are then. An error that it throws is reported; the steps are performed
  ///     anyway.
  public func expect<Model: AnyObject>(
    _ model: Model,
    after steps: LifecycleStep...,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    changes: (inout ExpectedChanges<Model>) throws -> Void
  ) {
    let site = CallSite(fileID, filePath, line, column)
    var expected = ExpectedChanges(model)
    var areStated = true
    do {
      try changes(&expected)
    } catch {
      reportIssue(error, fileID: fileID, filePath: filePath, line: line, column: column)
      areStated = false
    }
    guard perform(steps, site), areStated, let complaint = expected.complaint else { return }
    failures.report(complaint, at: site)
  }
}

/// The values that a test expects of a model's properties, set by the closure of
/// ``ScriptedLifecycle/expect(_:after:fileID:filePath:line:column:changes:)``.
///
/// Any property that is `Equatable` can be read and set as if it were a property of this value,
/// including computed properties and those that only the model can set. Reading returns the value
/// that was set, or else the value of the model. The model is never changed. If a property of the
/// model refers to an object, don't set the properties of that object: it is not a copy.
///
/// A failure shows the properties by name. If the name of a computed property isn't available, the
/// failure shows the name of the stored property behind it, as `@Observable` has it, if exactly one
/// matches by type and values; otherwise the type and number.
@dynamicMemberLookup
public struct ExpectedChanges<Model: AnyObject> {
  private let model: Model
  private(set) var properties: [Property] = []

  init(_ model: Model) {
    self.model = model
  }

  /// The value that is expected of a property.
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

  /// A property of the model, and the value that is expected of it.
  struct Property {
    let keyPath: PartialKeyPath<Model>
    let original: any Equatable
    var expected: any Equatable
    let actual: () -> any Equatable
    /// The names of the stored properties with the same type and the original and present values.
    let storedNames: () -> Set<String>

    init<Value: Equatable>(_ keyPath: KeyPath<Model, Value>, of model: Model, expected: Value) {
      let original = model[keyPath: keyPath]
      let originalNames = namesOfStoredProperties(with: original, in: model)
      self.keyPath = keyPath
      self.expected = expected
      self.original = original
      actual = { model[keyPath: keyPath] }
      storedNames = {
        originalNames.intersection(
          namesOfStoredProperties(with: model[keyPath: keyPath], in: model)
        )
      }
    }
  }
}

extension ExpectedChanges {
  /// The failure to report about the present state of the model; nil if the model is as expected.
  var complaint: String? {
    let different = properties.enumerated().compactMap { index, property -> ComparedProperty? in
      let actual = property.actual()
      guard !property.expected.isEqual(to: actual) else { return nil }
      var name = property.name
      // Of two properties with one name, one isn't the property of that name.
      if properties.count(where: { $0.name == name }) > 1 { name = nil }
      let valueType = type(of: property.keyPath).valueType
      return ComparedProperty(
        name: name ?? "\(valueType) (property \(index + 1) of \(properties.count))",
        expected: property.expected,
        actual: actual
      )
    }
    if !different.isEmpty { return difference(different) }
    guard properties.allSatisfy({ $0.expected.isEqual(to: $0.original) }) else { return nil }
    return """
      The closure states no change: it sets \
      \(properties.isEmpty ? "no property" : "only values that the properties already had"). To \
      test that nothing changes, perform the steps and compare the properties with #expect.
      """
  }

  private func difference(_ properties: [ComparedProperty]) -> String {
    let format = DiffFormat.proportional
    // Never nil, because the values differ.
    let difference = diff(
      ComparedModel(model: model, properties: properties.map { ($0.name, $0.expected) }),
      ComparedModel(model: model, properties: properties.map { ($0.name, $0.actual) }),
      format: format
    )
    let indented = (difference ?? "").split(separator: "\n", omittingEmptySubsequences: false)
      .map { "  \($0)" }.joined(separator: "\n")
    return "Difference: …\n\n\(indented)\n\n(Expected: \(format.first), Actual: \(format.second))"
  }
}

extension ExpectedChanges.Property {
  /// The name of the property; nil if it is not available.
  fileprivate var name: String? {
    if let last = String(describing: keyPath).split(separator: ".").last,
      last.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
    {
      return String(last)
    }
    let names = storedNames()
    return names.count == 1 ? names.first : nil
  }
}

private struct ComparedProperty {
  let name: String
  let expected: any Equatable
  let actual: any Equatable
}

/// A value that is dumped as if it were the model with these properties.
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

/// Returns the names of an object's stored properties that have a value. `@Observable` stores a
/// property in another one, whose name begins with an underscore.
private func namesOfStoredProperties<Value: Equatable>(
  with value: Value,
  in model: AnyObject
) -> Set<String> {
  let children = sequence(first: Mirror(reflecting: model), next: \.superclassMirror)
    .flatMap(\.children)
  return Set(
    children.compactMap { child in
      guard let label = child.label, label.hasPrefix("_"), type(of: child.value) == Value.self,
        child.value as? Value == value
      else { return nil }
      return String(label.dropFirst())
    }
  )
}

extension Equatable {
  fileprivate func isEqual(to other: any Equatable) -> Bool {
    (other as? Self).map { $0 == self } ?? false
  }
}
