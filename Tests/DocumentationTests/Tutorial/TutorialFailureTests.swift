import CustomDump
import Foundation
import LifecycleTesting
import TestSupport
import Testing

/// The tutorial's mistakes fail as it shows.
@Suite("Tutorial, failures")
@MainActor
struct TutorialFailureTests {
  private let lifecycle = ScriptedLifecycle()

  @Test("A countdown that pauses in the background")
  func paused() throws {
    let reservation = PausedReservation(on: lifecycle.bus)
    lifecycle.perform(.launch, .becomeActive, .advance(by: .seconds(10)))
    let absence = LifecycleStep.background(for: .seconds(90), deviceAsleep: .seconds(60))
    let issues = reportedIssues {
      lifecycle.expect(reservation, after: absence) {
        $0.remaining = 200
        $0.refreshes = 1
      }
    }
    try expectShown(issues, in: "03-03-02-Terminal.txt", by: "    lifecycle.expect")
    try expectSameCode("PausedReservation", as: "03-03-01-Reservation.swift")
  }

  @Test("A closure that holds the view model")
  func leaky() throws {
    var reservation: LeakyReservation? = LeakyReservation(on: lifecycle.bus)
    lifecycle.perform(.launch, .becomeActive)
    let issues = reportedIssues { expectReleased(&reservation, of: lifecycle.bus) }
    try expectShown(issues, in: "03-03-04-Terminal.txt", by: "    expectReleased")
    try expectSameCode("LeakyReservation", as: "03-03-03-Reservation.swift")
  }

  @Test("The tests that pass are those that the tutorial lists")
  func passed() throws {
    let tests = try Tutorial().last("ReservationTests.swift")
    let names = tests.matches(of: /@(?:Test|Suite)\("(.*)"\)/).map { $0.1 }
    for file in ["03-01-06-Terminal.txt", "03-02-05-Terminal.txt"] {
      let shown = try Tutorial.text("Resources/\(file)").matches(of: /(?:Test|Suite) "(.*)"/)
      #expect(!shown.isEmpty && shown.allSatisfy { names.contains($0.1) })
    }
    let count = tests.matches(of: /@Test\(/).count
    #expect(
      try Tutorial.text("Resources/03-02-05-Terminal.txt").contains(
        "run with \(count) tests in 1 suite"
      )
    )
  }

  /// Expects that a failure is shown in a file: its text, in which "…" stands for what is left out,
  /// and the line of the tutorial's tests at which it is reported.
  private func expectShown(_ issues: [ReportedIssue], in file: String, by call: String) throws {
    let message = try #require(issues.first).message
      .replacing(/DocumentationTests\/(Leaky|Paused)Reservation/, with: "BikeRental/Reservation")
      .replacing(/(Leaky|Paused)Reservation/, with: "Reservation")
    #expect(issues.count == 1)
    let shown = try Tutorial.text("Resources/\(file)").components(separatedBy: "↳ ")
    var rest = message.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }[...]
    for line in try #require(shown.last).split(separator: "\n") {
      let start = line.trimmingCharacters(in: .whitespaces).trimmingSuffix("…")
      rest = rest.drop { !$0.hasPrefix(start) }
      #expect(!rest.isEmpty, "\(line) is not in \(message)")
    }

    let place = try #require(shown[0].firstMatch(of: /ReservationTests\.swift:(\d+):(\d+)/))
    let lines = try Tutorial().last("ReservationTests.swift").components(separatedBy: "\n")
    let (line, column) = try (#require(Int(place.1)), #require(Int(place.2)))
    expectNoDifference(String(lines[line - 1].prefix(column - 1)), call)
  }

  /// Expects that the class is the tutorial's, under another name, on the same lines.
  private func expectSameCode(_ name: String, as file: String) throws {
    let url = Sample.root.appending(path: "Tests/DocumentationTests/Tutorial/\(name).swift")
    let code = try String(contentsOf: url, encoding: .utf8)
    let shown = try Tutorial.text("Resources/\(file)")
    expectNoDifference(code, shown.replacing("class Reservation", with: "class \(name)"))
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix)
      ? String(dropLast(suffix.count)).trimmingCharacters(in: .whitespaces) : self
  }
}
