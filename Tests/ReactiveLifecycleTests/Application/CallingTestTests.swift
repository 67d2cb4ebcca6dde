import CustomDump
import Testing

@testable import ReactiveLifecycle

/// With lines of stacks from https://github.com/flutter/flutter/issues/63742,
/// https://github.com/facebookarchive/xctool/issues/699,
/// https://github.com/swiftlang/swift-corelibs-xctest/issues/418, and Linux.
@Suite("The test that a stack of calls belongs to")
struct CallingTestTests {
  private static let invocation = """
    13  CoreFoundation          0x00007fff23e44dec __invoking___ + 140
    14  CoreFoundation          0x00007fff23e41fd1 -[NSInvocation invoke] + 321
    15  XCTest                  0x000000010178cfa7 __24-[XCTestCase invokeTest]_block_invoke_2 + 52
    """
  private static let wait = """
    24  CoreFoundation          0x00000001105882e9 __CFRUNLOOP_IS_SERVICING_THE_MAIN_DISPATCH_QUEUE__ + 9
    25  CoreFoundation          0x00000001105498a9 __CFRunLoopRun + 2073
    26  CoreFoundation          0x0000000110548e08 CFRunLoopRunSpecific + 488
    27  Foundation              0x000000010fc8e3a1 -[NSRunLoop(NSRunLoop) runMode:beforeDate:] + 267
    28  XCTest                  0x000000011ce67ffe -[XCTestCase(AsynchronousTesting) waitForExpectationsWithTimeout:handler:] + 955
    """
  private static let asynchronous = "$s17AsyncObjectsTests09TaskQueueC0C12testactivityyyYaKF"
  private static let ofApp = "$s3App11SpeedTesterC14testConnectionyyYaF"

  @Test(
    "A stack with XCTest's call or an asynchronous test is a test's; what a run loop calls is not",
    arguments: [
      ("12  AppTests  0x0000000101ff0fd3 -[FeedTests testOpen] + 609\n\(invocation)", true),
      ("12  App  0x0000000101ff0fd3 $s8AppTests04FeedB0C8testOpenyyF + 60\n\(wait)", false),
      ("6  AppTests  0x000000011cf72185 \(asynchronous)yyYacfU_ToTQ0_ + 1\n\(wait)", true),
      ("6  App  0x000000011cf72185 \(ofApp)TY0_ + 1\n\(wait)", false),
      ("Tests.xctest(+0xe1a4) [0x1]\n/usr/lib/libXCTest.so(+0x2adec) [0x2]", true),
      (
        """
        Tests.xctest(+0xbc98) [0x1]
        /usr/lib/libFoundation.so(CFRunLoopRunSpecific+0x1f8) [0x2]
        /usr/lib/libXCTest.so(+0x2adec) [0x3]
        """,
        false
      ),
    ]
  )
  func testOnStack(calls: String, isTest: Bool) {
    let test = CallingTest(
      stack: calls.split(separator: "\n").map(String.init),
      isTestCase: { $0 == "17AsyncObjectsTests09TaskQueueC0C" }
    )
    expectNoDifference(test, isTest ? .stack : nil)
  }
}
