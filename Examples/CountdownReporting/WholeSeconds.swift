/// A number of seconds, as it is typed.
package enum WholeSeconds {
  package struct Problem: Error, CustomStringConvertible {
    package var description: String { "Give a whole number from 1 to \(Int.max)." }
  }

  package static func parse(_ text: String) throws(Problem) -> Int {
    guard let seconds = Int(text), seconds >= 1 else { throw Problem() }
    return seconds
  }
}
