/// A feature that has a stream of its own, such as the states of a countdown: it tells the
/// subscribers, in place of the bus. `LifecyclePublisher(fedBy:on:)` makes the stream.
package protocol StreamFeed<Output>: AnyObject, Sendable {
  associatedtype Output

  /// A subscriber joins, where the bus delivers.
  func join(_ row: FeedRow<Output>)
  /// A subscriber has left.
  func leave(_ row: FeedRow<Output>)
}
