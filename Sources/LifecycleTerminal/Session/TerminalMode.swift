import LifecycleSupport

extension termios {
  /// Returns the settings for a program that reads keys one by one.
  ///
  /// Like `cfmakeraw`, except that output is processed as before, so that a line feed begins a
  /// line, and that some keys may still send signals. Such a key discards neither input nor output.
  func raw(signalKeys: TerminalSession.SignalKeys) -> termios {
    var settings = self
    let input =
      IGNBRK | BRKINT | PARMRK | INPCK | ISTRIP | INLCR | IGNCR | ICRNL | IXON
    settings.c_iflag &= ~tcflag_t(input)
    settings.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | IEXTEN | ISIG)
    settings.c_lflag |= tcflag_t(NOFLSH) | (signalKeys.isEmpty ? 0 : tcflag_t(ISIG))
    settings.c_cflag &= ~tcflag_t(CSIZE | PARENB)
    settings.c_cflag |= tcflag_t(CS8)
    settings.setCharacter(VMIN, to: 1)
    settings.setCharacter(VTIME, to: 0)
    let keys: [(TerminalSession.SignalKeys, Int32)] = [
      (.interrupt, VINTR), (.quit, VQUIT), (.suspend, VSUSP),
    ]
    for (key, index) in keys where !signalKeys.contains(key) {
      settings.setCharacter(index, to: Self.disabled)
    }
    #if canImport(Darwin)
      settings.setCharacter(VDSUSP, to: Self.disabled)
    #endif
    return settings
  }

  /// `_POSIX_VDISABLE`: no key.
  private static var disabled: cc_t {
    #if canImport(Darwin)
      0xFF
    #else
      0
    #endif
  }

  private mutating func setCharacter(_ index: Int32, to character: cc_t) {
    withUnsafeMutableBytes(of: &c_cc) { $0[Int(index)] = character }
  }
}
