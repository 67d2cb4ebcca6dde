import Foundation

extension Int {
  /// The digits in groups of three, whatever the user's locale: `100,000`.
  var grouped: String { formatted(.number.locale(Locale(identifier: "en_US"))) }
}
