extension Duration {
  /// The longest duration. `Duration(attoseconds: .max)` needs iOS 18.
  public static let longest =
    Duration(secondsComponent: .max, attosecondsComponent: 0) * 18
    + Duration(
      secondsComponent: 4_120_486_796_083_267_205,
      attosecondsComponent: 687_303_715_884_105_727
    )
  /// The shortest duration, which is one attosecond further from zero.
  public static let shortest = .zero - longest - smallestStep
  public static let smallestStep = Duration(secondsComponent: 0, attosecondsComponent: 1)
}
