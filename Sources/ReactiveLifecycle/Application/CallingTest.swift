import Foundation
import IssueReporting
import LifecycleCore

/// The test that calls.
///
/// The environment of the process is no evidence: an application that hosts tests runs code of its
/// own meanwhile, and a program that a test starts inherits the variables.
enum CallingTest: Hashable {
  /// A test of Swift Testing, in whose task the call is made.
  case task(id: AnyHashable)
  /// A test of XCTest, which is on the stack of the thread.
  case stack

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

  /// Finds a test on a stack, whose innermost call comes first.
  ///
  /// What a run loop calls belongs to the process, even if a test waits in that run loop. XCTest
  /// calls a synchronous function; an asynchronous one, which a task resumes, is known by its own
  /// symbol.
  ///
  /// - Parameter isTestCase: Whether the class with a mangled name is one of XCTest.
  init?(stack: [String], isTestCase: (String) -> Bool = Self.isTestCase) {
    for call in stack {
      if call.contains("CFRunLoopRun") { return nil }
      if Self.xcTestImages.contains(where: call.contains)
        || Self.classOfAsyncTest(in: call).map(isTestCase) ?? false
      {
        self = .stack
        return
      }
    }
    return nil
  }

  private static let xcTestImages = [" XCTestCore ", " XCTest ", "/libXCTest.so"]

  /// Returns the mangled name of the class, if a call is one of its asynchronous methods, the name of
  /// which begins with `test`, and which has no parameters and no result.
  private static func classOfAsyncTest(in call: String) -> String? {
    call.range(of: #"(?<=\$s)\w+?C(?=\d+test\w*?yyYaK?F)"#, options: .regularExpression)
      .map { String(call[$0]) }
  }

  private static func isTestCase(_ mangledName: String) -> Bool {
    #if canImport(Darwin)
      guard let testCase = NSClassFromString("XCTestCase") else { return false }
      return (_typeByName(mangledName) as? NSObject.Type)?.isSubclass(of: testCase) ?? false
    #else
      false  // Stacks have no symbols of tests.
    #endif
  }

  /// Reports something at the place of the test, if it is known: a property can't know the line of
  /// its caller.
  func report(_ text: String) {
    switch self {
    case .task(let id):
      let message = "The test \(id) \(text)"
      if let site = CallSite(ofTest: id) { site.report(message) } else { reportIssue(message) }
    case .stack:
      reportIssue("A test \(text)")
      // XCTest drops what is reported outside of a method of an instance, as in `class func setUp()`.
      var line = "A test \(text)\n"
      _ = line.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
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
    self = unsafeBitCast(
      (UInt(bitPattern: strdup(text)), text.utf8.count, UInt8(0)),
      to: StaticString.self
    )
  }
}
