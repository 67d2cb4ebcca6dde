import CustomDump
import Foundation
import TestSupport
import Testing

@testable import LocationReminder

@Suite("Tracks in NMEA 0183")
struct LocationTrackTests {
  @Test("GGA, RMC and GLL of any talker are read as degrees")
  func kindsOfSentences() {
    let sentences = [
      "GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
      "GNRMC,123520.5,A,3351.5,S,15112.75,E,,,230394,,",
      "GLGLL,4916.45,N,12311.12,W,123522,A,A",
      "GAGLL,0000.00,S,00000.00,W,123523",
    ]
    let track = track(sentences.map(sentence))
    expectNoDifference(track.seconds, [0, 1.5, 3, 4])
    let expected = [
      (48.1173, 11.5166667), (-33.8583333, 151.2125), (49.2741667, -123.1853333), (0, 0),
    ]
    for (fix, place) in zip(track.fixes, expected) {
      #expect(abs(fix.position.latitude - place.0) < 1e-6)
      #expect(abs(fix.position.longitude - place.1) < 1e-6)
    }
    expectNoDifference(track.skippedSentences, 0)
  }

  @Test("Sentences of the same moment are one fix, with the first position")
  func oneFix() {
    let lines = [
      gga("120000.00"), rmc("120000.000", latitude: "4852.0000,N"),
      sentence("GLGLL,4853.0000,N,00217.6700,E,120000,A,A"), rmc("120001"), gga("120001"),
    ]
    let track = track(lines)
    expectNoDifference(track.seconds, [0, 1])
    #expect(abs(track.fixes[0].position.latitude - 48.8584) < 1e-9)
  }

  @Test("Wrong checksums, cut sentences and rests of sentences are skipped and counted")
  func wrongAndCutSentencesAreSkippedAndCounted() {
    let good = gga("120000")
    let flawed = [
      good.replacing("2000", with: "2001"),  // a byte
      String(good.dropLast(2)) + "ZZ",
      good + "0",
      String(good.dropFirst(9)),
      "$", "$*00", "!", "*", "GPGGA", "\u{1}",
      sentence("GPGGA,120000,4860.0,N,00217.6700,E,1,08,0.9,34.5,M,47.3,M,,"),  // 60 minutes
      sentence("GPGGA,120000,9100.0,N,00217.6700,E,1"),
      sentence("GPGGA,120000,4851.5,X,00217.6700,E,1"),
      sentence("GPGGA,120000,48e1.5,N,00217.6700,E,1"),
      sentence("GPGGA,126000,4851.5,N,00217.6700,E,1"),
      sentence("GPGGA,1200,4851.5,N,00217.6700,E,1"),
      sentence("GPGGA,120000,4851.5"),
    ]
    for text in flawed {
      let track = track([text])
      expectNoDifference(track.skippedSentences, 1, "\(text)")
      #expect(track.fixes.isEmpty, "\(text)")
    }
  }

  @Test("Valid sentences without a position are not counted as skipped")
  func notSkipped() {
    let lines = [
      sentence("GPGSV,1,1,01,02,64,182,44"), sentence("PGRMZ,246,f,3"), sentence("CCGPQ,GGA"),
      sentence("GPTXT,01,01,02,u-blox"),
      sentence("AIVDM,1,1,,A,13u?etPv2;0n:dDPwUM1U1Cb069D,0")
        .replacing("$", with: "!"),
      gga("120000", latitude: ",", quality: "0"), gga("", latitude: ","),
      gga("120000", quality: "0"),
      gga("120000", quality: ""), rmc("120000", status: "V"), rmc(""),
      sentence("GPGLL,,,,,120000,V,N"), sentence("GPGLL,4916.45,N,12311.12,W"),
      sentence("GPRMC,120000,A,4851.5040,N,00217.6700,E,,,140624,,,N"),
      "", " ", "# a comment",
    ]
    expectNoDifference(track(lines), Track())
  }

  @Test("Any line ending, prefix, and case of the checksum is read, and noise is skipped")
  func shapesOfLines() {
    for end in ["\n", "\r", "\r\n", "\n\n"] {
      expectNoDifference(track([gga("120000"), gga("120001")], end: end).fixes.count, 2)
    }
    expectNoDifference(track(["12:00:00.123 " + gga("120000") + "  "]).fixes.count, 1)
    let lowercase = sentence("GPGGA,120000,4851.5040,N,00217.6700,E,1").split(separator: "*")
    expectNoDifference(track([lowercase[0] + "*" + lowercase[1].lowercased()]).fixes.count, 1)
    let noise: [UInt8] = [0xFF, 0xFE, 0x00, 0x80, 0x0A]
    let noisy = Track(nmea: noise + Array((gga("120000") + "\n").utf8) + noise)
    expectNoDifference(noisy.fixes.count, 1)
    expectNoDifference(noisy.skippedSentences, 2)
    expectNoDifference(Track(nmea: []), Track())
  }

  @Test("A track continues after midnight, ignores late fixes, and appends a second recording")
  func trackGoesOnAfterMidnight() {
    expectNoDifference(
      track(["235959", "000000", "000001.5"].map { gga($0) }).seconds,
      [0, 1, 2.5]
    )
    expectNoDifference(track(["120010", "120009", "120011"].map { gga($0) }).seconds, [0, 1])
    expectNoDifference(track(["000000", "235959", "000001"].map { gga($0) }).seconds, [0, 1])
    expectNoDifference(track(["120000", "110000", "110005"].map { gga($0) }).seconds, [0, 1, 6])
    expectNoDifference(track(["000000", "120000"].map { gga($0) }).seconds, [0, 43_200])
  }

  @Test("The shipped track has 600 fixes a second apart, and 24 skipped sentences")
  func shippedTrackHas600Fixes() throws {
    let track = try TrackFile.read(shippedTrack)
    expectNoDifference(track.seconds, (0..<600).map(Double.init))
    expectNoDifference(track.skippedSentences, 24)
    let tower = Position(latitude: 48.8584, longitude: 2.2945)
    let distances = track.fixes.map { $0.position.distance(to: tower) }
    #expect(distances.min()! < 10)
    #expect(distances[0] > 500)
    for (fix, next) in zip(track.fixes, track.fixes.dropFirst()) {
      #expect(fix.position.distance(to: next.position) < 15)
    }
  }
}

@Suite("Positions")
struct LocationPositionTests {
  @Test("Distances are right across the date line and at the poles")
  func distancesOnTheSphere() {
    func distance(_ from: (Double, Double), _ to: (Double, Double)) -> Double {
      Position(latitude: from.0, longitude: from.1)
        .distance(to: Position(latitude: to.0, longitude: to.1))
    }
    let degree = 6_371_008.8 * Double.pi / 180
    #expect(abs(distance((0, 0), (1, 0)) - degree) < 0.001)
    #expect(abs(distance((0, 179.5), (0, -179.5)) - degree) < 0.001)
    #expect(abs(distance((60, 0), (60, 1)) - degree / 2) < 10)
    #expect(distance((90, 0), (90, 123)) < 0.001)
    #expect(abs(distance((0, 0), (0, 180)) - 180 * degree) < 0.001)
    #expect(abs(distance((90, 0), (-90, 0)) - 180 * degree) < 0.001)
    expectNoDifference(distance((48.8584, 2.2945), (48.8584, 2.2945)), 0)
    // Paris, Notre-Dame, to London, Charing Cross.
    #expect(abs(distance((48.8530, 2.3499), (51.5073, -0.1276)) - 343_500) < 1000)
  }

  @Test("An arrival counts again only after the place was left by a tenth of the radius")
  func arrivalIsOneUntilPlaceWasLeft() {
    var machine = ArrivalMachine(radius: 100)
    let way = [500.0, 101, 99, 50, 101, 109, 99, 111, 109, 101, 100, 0, 500, 20]
    expectNoDifference(way.filter { machine.move(to: $0) }, [99, 100, 20])
  }

  @Test("A typed place is two numbers in range, and nothing else")
  func typedPlace() {
    expectNoDifference(
      Position("-33.8568,151.2153"),
      Position(latitude: -33.8568, longitude: 151.2153)
    )
    for text in [
      "", ",", "1", "1,", "1,2,3", "91,0", "0,181", "nan,0", "1e1,0", "0x1,0", "1 ,2", "a,b", "1;2",
    ] {
      expectNoDifference(Position(text), nil, "\(text)")
    }
  }
}
