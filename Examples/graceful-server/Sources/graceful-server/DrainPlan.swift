/// The steps from SIGTERM to the end of the server, and their times.
///
/// 1. `/ready` responds with 503. New connections are still accepted for the *delay*, because a
///    load balancer needs some time to notice. Each response ends its connection.
/// 2. New connections are discarded. Handshakes that have begun have time to finish.
/// 3. The listener is closed. A connection that has been silent for the *allowed silence* is
///    closed; a request in progress continues.
/// 4. At the *deadline*, requests that are still in progress are cancelled, and answered with 503.
struct DrainPlan: Sendable {
  var delay: Duration
  var allowedSilence: Duration
  var deadline: Duration

  /// The time for handshakes that have begun: more than a round trip.
  static let handshake = Duration.milliseconds(250)
}
