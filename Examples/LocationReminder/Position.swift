import Foundation
import ProgramReporting

/// A place on the earth, in degrees; north and east are positive.
package struct Position: Hashable, Sendable {
  package var latitude: Double
  package var longitude: Double

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Returns the distance in meters to another place, along the surface of a sphere of the earth's
  /// mean radius (haversine formula). The error is at most half a percent.
  package func distance(to other: Position) -> Double {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let height = sin(radians(other.latitude - latitude) / 2)
    let width = sin(radians(other.longitude - longitude) / 2)
    let chord =
      height * height
      + cos(radians(latitude)) * cos(radians(other.latitude)) * width * width
    return 2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))
  }
}

extension Position {
  /// Reads a place as it is typed, `48.8584,2.2945`; nil if the text is not a place.
  package init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2,
      let latitude = PlainNumber.parse(String(parts[0])), (-90...90).contains(latitude),
      let longitude = PlainNumber.parse(String(parts[1])), (-180...180).contains(longitude)
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }
}
