public import ReactiveLifecycle

/// Releases an object, and expects that nothing else holds it.
///
/// ```swift
/// var viewModel: RentalViewModel? = RentalViewModel(seconds: 300, bus: bus)
/// expectReleased(&viewModel, of: bus)
/// ```
///
/// An object that stays alive, or a nil reference, fails the test at the caller's line.
///
/// - Parameters:
///   - owner: The only reference to the object; nil afterward.
///   - bus: The bus whose live subscriptions are listed if the object stays alive, as one of them
///     may hold it.
///   - fileID: The file ID of the call site.
///   - filePath: The path of the call site's file.
///   - line: The line of the call site.
///   - column: The column of the call site.
public func expectReleased<Owner: AnyObject>(
  _ owner: inout Owner?,
  of bus: (any LifecycleBusProtocol)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  weak let released = owner
  guard owner != nil else {
    return TestFailures.report(
      """
      There is no \(Owner.self) to release: the reference is already nil. Pass a variable that \
      holds the object.
      """,
      at: site
    )
  }
  owner = nil
  guard let leaked = released else { return }
  var sentences = ["\(type(of: leaked)) was not released: something else still holds it."]
  if let bus {
    let live = bus.liveSubscriptions
    sentences.append(
      live.isEmpty
        ? "The bus has no live subscriptions."
        : "It may be one of the bus's live subscriptions:\n\n\(live.list)"
    )
  }
  TestFailures.report(sentences.joined(separator: " "), at: site)
}
