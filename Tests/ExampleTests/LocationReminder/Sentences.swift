import Foundation
import JobControl
import LocationReminder

/// A sentence with the right checksum.
func sentence(_ content: String) -> String {
  let checksum = String(content.utf8.reduce(0, ^), radix: 16, uppercase: true)
  return "$\(content)*\(checksum.count < 2 ? "0" : "")\(checksum)"
}

func gga(_ time: String, latitude: String = "4851.5040,N", quality: String = "1") -> String {
  sentence("GPGGA,\(time),\(latitude),00217.6700,E,\(quality),08,0.9,34.5,M,47.3,M,,")
}

func rmc(_ time: String, latitude: String = "4851.5040,N", status: String = "A") -> String {
  sentence("GNRMC,\(time),\(status),\(latitude),00217.6700,E,9.71,141.2,140624,1.1,E,A")
}

func track(_ lines: [String], end: String = "\r\n") -> Track {
  Track(nmea: Array(lines.map { $0 + end }.joined().utf8))
}

/// A track along a meridian: a fix a second, each a second of arc further north.
func straightTrack(_ count: Int) -> Track {
  Track(
    fixes: (0..<count).map {
      Track.Fix(
        position: Position(latitude: Double($0) / 3600, longitude: 0),
        time: .seconds($0)
      )
    }
  )
}

extension Track {
  var seconds: [Double] { fixes.map { $0.time / .seconds(1) } }
}

/// The folder of the tracks that ship with the example.
let shippedTrack = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()
  .appending(path: "Examples/LocationReminder/Tracks/seine-ride.nmea").path
