import LifecycleCore

/// The bus that `LifecycleBus.application` is in a test that does not replace it.
enum UnimplementedApplicationBus {
  private static let bus = LifecycleBus()

  /// A bus that is connected to nothing if a test calls, which is reported; otherwise nil.
  ///
  /// Each use is reported: a test that is repeated, or has several cases, is one that can't be told
  /// from the use before, and would otherwise pass.
  static var ofCallingTest: LifecycleBus? {
    guard let test = CallingTest.current else { return nil }
    test.report(
      """
      uses LifecycleBus.application, which is unimplemented in tests, and gets a bus that is \
      connected to nothing. Pass the test's own bus to the code under test, add the trait \
      .lifecycle of LifecycleTestingTraits to the test or its suite, or replace the bus by \
      LifecycleBus.withApplication(_:operation:). For the process's own bus, pass .liveApplication \
      there.
      """
    )
    return bus
  }
}
