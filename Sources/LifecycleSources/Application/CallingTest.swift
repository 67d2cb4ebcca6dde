import Foundation
import IssueReporting
import ReactiveLifecycle

/// The test that calls.
///
/// The environment of the process is no evidence: an application that hosts tests runs code of its
/// own meanwhile, and a program that a test starts inherits the variables.
enum CallingTest: Hashable {
  /// A test of Swift Testing, in whose task the call is made.
  case task(id: AnyHashable)
  /// A test of XCTest, which is on the stack of the thread, with the symbol of its function: known
  /// on Apple's platforms.
  case stack(function: String?)

  /// The test that calls, or nil.
  ///
  /// - Complexity: O(depth of the stack) if XCTest is loaded, and the task is no test's; otherwise
  ///   O(1).
  static var current: Self? {
    let isXCTestLoaded = isXCTestLoaded
    guard isXCTestLoaded || isLoaded("$s7Testing4TestV7currentACSgvgZ") else { return nil }
    return switch TestContext.current {
    case .swiftTesting(let testing?): .task(id: testing.test.id.rawValue)
    case .xcTest where isXCTestLoaded: Self(stack: Thread.callStackSymbols)
    default: nil
    }
  }

  private static var isXCTestLoaded: Bool {
    #if canImport(Darwin)
      NSClassFromString("XCTestCase") != nil
    #else
      isLoaded("$s6XCTest0A4CaseCN")
    #endif
  }

  /// Looks for a symbol of a library that runs tests. Without one, `TestContext.current` takes
  /// hundreds of times as long to find no test.
  private static func isLoaded(_ symbol: String) -> Bool {
    dlsym(dlopen(nil, RTLD_LAZY), symbol) != nil
  }

  /// Finds the test on a stack, whose innermost call comes first.
  ///
  /// What a run loop calls belongs to the process, even if a test waits in that run loop. XCTest
  /// calls a synchronous function; an asynchronous one, which a task resumes, is known by its own
  /// symbol.
  init?(stack: [String]) {
    var function: String?
    for call in stack {
      if call.contains("CFRunLoopRun") { return nil }
      function = Self.testFunction(in: call) ?? function
      let isAsync = function?.contains("yyYa") ?? false
      if isAsync || Self.xcTestImages.contains(where: call.contains) {
        self = .stack(function: function)
        return
      }
    }
    return nil
  }

  private static let xcTestImages = [" XCTestCore ", " XCTest ", "/libXCTest.so"]

  /// Returns the symbol of a method of a class whose name begins with `test`, and which has no
  /// parameters and no result.
  private static func testFunction(in call: String) -> String? {
    guard call.contains("test") else { return nil }
    let range = call.range(
      of: #"\$s\w+?C\d+test\w*?yy(Ya)?K?F"#,
      options: .regularExpression
    )
    return range.map { String(call[$0]) }
  }

  /// The name that tells the test from others; nil if it is unknown.
  var name: String? {
    switch self {
    case .task(let id): "\(id)"
    case .stack(let function): function
    }
  }

  /// The place of the test; nil if it is unknown.
  ///
  /// A property can't know the line of its caller.
  var site: CallSite? {
    switch self {
    case .task(let id): CallSite(ofTest: id)
    case .stack: nil
    }
  }
}

extension CallingTest: CustomStringConvertible {
  var description: String {
    switch self {
    case .task(let id): "The test \(id)"
    case .stack: "A test"
    }
  }
}

extension CallSite {
  /// Creates the place that the identifier of a test has, which is a type of Swift Testing: this
  /// module does not link it.
  fileprivate init?(ofTest id: AnyHashable) {
    let id = Mirror(reflecting: id.base)
    func part<Part>(_ name: String) -> Part? {
      id.descendant("sourceLocation", "some", name) as? Part
    }
    guard let fileID: String = part("fileID"),
      let filePath: String = part("filePath") ?? part("_filePath"),
      let line: Int = part("line"), let column: Int = part("column")
    else { return nil }
    self.init(
      StaticString(keeping: fileID),
      StaticString(keeping: filePath),
      UInt(line),
      UInt(column)
    )
  }
}

extension StaticString {
  /// Creates a string of a copy that is never freed.
  ///
  /// `reportIssue` takes no other, and would name this file instead of the test's. The layout is
  /// frozen: the address, the length in UTF-8, and flags, of which none is set.
  fileprivate init(keeping text: String) {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count + 1)
    let end = copy.update(fromContentsOf: text.utf8)
    copy[end] = 0
    self = unsafeBitCast(
      (UInt(bitPattern: copy.baseAddress), text.utf8.count, UInt8(0)),
      to: StaticString.self
    )
  }
}
