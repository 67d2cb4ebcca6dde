/// What Combine hands from thread to thread without saying that it may be: values, subscribers,
/// subscriptions, publishers.
///
/// `@unchecked Sendable`: an operator only passes on what it was given, one call at a time, in the
/// order of its lock. Whether what is inside may be used on the threads that upstream and the bus use
/// is up to the program, as with every operator of Combine.
struct Carried<Content>: @unchecked Sendable {
  let content: Content

  init(_ content: Content) { self.content = content }
}
