/// A feature that has a separate stream, such as the states of a countdown.
///
/// It sends values to the subscribers, in place of the bus. `LifecyclePublisher(fedBy:on:)` makes
/// the stream.
package protocol StreamFeed<Output>: AnyObject, Sendable {
  associatedtype Output

  /// Adds a subscriber, where the bus delivers.
  func join(_ row: FeedRow<Output>)
  /// Removes a subscriber that has left.
  func leave(_ row: FeedRow<Output>)
}
