/// The application of the running test.
enum RunningTest {
  @TaskLocal static var application: TestApplication?
}
