import CustomDump
import Foundation
import Testing

@testable import LifecycleTerminal

@Suite("Terminal mode")
struct TerminalModeTests {
  private let shell: termios = {
    var settings = termios()
    settings.c_iflag = tcflag_t(ICRNL | IXON | BRKINT | IUTF8)
    settings.c_oflag = tcflag_t(OPOST | ONLCR)
    settings.c_lflag = tcflag_t(ISIG | ICANON | ECHO | ECHOE | IEXTEN)
    settings.c_cflag = tcflag_t(CS8 | CREAD)
    settings.characters = [UInt8(VINTR): 3, UInt8(VQUIT): 28, UInt8(VSUSP): 26, UInt8(VMIN): 9]
    return settings
  }()

  @Test("The settings are those of cfmakeraw, but for output, signal keys, and the check of parity")
  func likeCfmakeraw() {
    var everything = shell
    everything.c_iflag = .max
    everything.c_oflag = .max
    everything.c_lflag = .max
    everything.c_cflag = .max
    for settings in [shell, everything, termios()] {
      var expected = settings
      cfmakeraw(&expected)
      expected.c_oflag = settings.c_oflag
      expected.c_lflag |= tcflag_t(ISIG | NOFLSH)
      // Some versions of the C library leave it.
      expected.c_iflag &= ~tcflag_t(INPCK)
      let raw = settings.raw(signalKeys: [.interrupt, .quit, .suspend])
      expectNoDifference(raw.c_iflag, expected.c_iflag)
      expectNoDifference(raw.c_oflag, expected.c_oflag)
      expectNoDifference(raw.c_lflag, expected.c_lflag)
      expectNoDifference(raw.c_cflag, expected.c_cflag)
      for index in [VMIN, VTIME] {
        expectNoDifference(raw.characters[UInt8(index)], expected.characters[UInt8(index)])
      }
    }
  }

  @Test("The chosen keys send signals, and discard nothing")
  func signalKeys() {
    let all = shell.raw(signalKeys: [.interrupt, .quit, .suspend])
    expectNoDifference(all.c_lflag & tcflag_t(ISIG | NOFLSH), tcflag_t(ISIG | NOFLSH))
    expectNoDifference(all.keys, [3, 28, 26])
    let suspend = shell.raw(signalKeys: .suspend)
    #expect(suspend.c_lflag & tcflag_t(ISIG) != 0)
    expectNoDifference(suspend.keys, [0, 0, 26])
    expectNoDifference(shell.raw(signalKeys: []).c_lflag & tcflag_t(ISIG), 0)
  }
}

extension termios {
  fileprivate var keys: [cc_t?] { [VINTR, VQUIT, VSUSP].map { characters[UInt8($0)] } }

  fileprivate var characters: [UInt8: cc_t] {
    get {
      withUnsafeBytes(of: c_cc) { bytes in
        Dictionary(uniqueKeysWithValues: bytes.enumerated().map { (UInt8($0), $1) })
      }
    }
    set {
      withUnsafeMutableBytes(of: &c_cc) { bytes in
        for (index, character) in newValue { bytes[Int(index)] = character }
      }
    }
  }
}
