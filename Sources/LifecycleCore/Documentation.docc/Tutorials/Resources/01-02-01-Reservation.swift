/// The model of a screen that shows a reserved bicycle.
@MainActor
final class Reservation {
  private(set) var remaining = 300
  private(set) var isOver = false
}
