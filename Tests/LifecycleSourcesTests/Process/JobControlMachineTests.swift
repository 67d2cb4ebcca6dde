import CustomDump
import LifecycleSources
import Testing

@Suite("Job control machine")
struct JobControlMachineTests {
  @Test func ctrlZStopsAfterTheObserversAndReturnsToTheForeground() {
    var machine = JobControlMachine(terminal: .foreground)
    expectNoDifference(machine.handle(.signal(.stop, at: 1)), [.armStop(since: 1)])
    expectNoDifference(
      machine.handle(.armed(isCancelled: false)),
      [.startGrace(of: .stop), .announce(.background, signal: .stop, at: 1, isAwaited: true)]
    )
    #expect(!machine.isIdle)
    expectNoDifference(machine.handle(.deliveriesFinished), [])
    expectNoDifference(machine.handle(.tasksFinished), [.stop])
    expectNoDifference(
      machine.handle(.resumed(at: 9, .foreground)),
      [.endGrace, .announce(.active, signal: nil, at: 9, isAwaited: false)]
    )
    #expect(machine.isIdle)
    #expect(!machine.needsPolling)
  }

  @Test func aMissedDeadlineIsReportedAndTheProcessStopsAllTheSame() {
    var machine = suspending(from: .foreground)
    expectNoDifference(machine.handle(.deadlinePassed), [.reportOverrun])
    expectNoDifference(machine.handle(.tasksFinished), [.stop])
  }

  @Test func bgStaysInTheBackgroundUntilTheTerminalComesBack() {
    var machine = suspending(from: .foreground)
    _ = machine.handle(.deliveriesFinished)
    _ = machine.handle(.tasksFinished)
    expectNoDifference(machine.handle(.resumed(at: 9, .background)), [.endGrace])
    #expect(machine.needsPolling)
    expectNoDifference(machine.handle(.terminal(.background, because: nil)), [])
    expectNoDifference(
      machine.handle(.terminal(.foreground, because: nil)),
      [.announce(.active, signal: nil, at: nil, isAwaited: false)]
    )
    #expect(!machine.needsPolling)
  }

  @Test func ctrlZTypedTwiceStopsOnce() {
    var machine = suspending(from: .foreground)
    expectNoDifference(machine.handle(.signal(.stop, at: 2)), [])
    _ = machine.handle(.deliveriesFinished)
    expectNoDifference(machine.handle(.tasksFinished), [.stop])
    _ = machine.handle(.resumed(at: 9, .foreground))
    expectNoDifference(
      machine.handle(.signal(.stop, at: 3)),
      [],
      "typed before the process stopped"
    )
    expectNoDifference(machine.handle(.signal(.stop, at: 10)), [.armStop(since: 10)])
  }

  @Test func ctrlZInTheBackgroundIsAnnouncedAgain() {
    var machine = JobControlMachine(terminal: .background)
    _ = machine.handle(.signal(.stop, at: 1))
    expectNoDifference(
      machine.handle(.armed(isCancelled: false)),
      [.startGrace(of: .stop), .announce(.background, signal: .stop, at: 1, isAwaited: true)]
    )
  }

  @Test func sigcontBeforeTheAnnouncementTakesTheStopBackUnseen() {
    var machine = JobControlMachine(terminal: .foreground)
    _ = machine.handle(.signal(.stop, at: 1))
    expectNoDifference(machine.handle(.armed(isCancelled: true)), [.disarmStop])
    expectNoDifference(machine.handle(.signal(.continue, at: 2)), [.readTerminal(because: 2)])
    expectNoDifference(machine.handle(.terminal(.foreground, because: 2)), [])
  }

  @Test func sigcontDuringTheDeliveryTakesTheStopBack() {
    var machine = suspending(from: .foreground)
    expectNoDifference(machine.handle(.signal(.continue, at: 2)), [.disarmStop, .endGrace])
    expectNoDifference(machine.handle(.deliveriesFinished), [.readTerminal(because: nil)])
    expectNoDifference(
      machine.handle(.terminal(.foreground, because: nil)),
      [.announce(.active, signal: nil, at: nil, isAwaited: false)]
    )
  }

  @Test func ctrlZAfterThatSigcontStopsAgain() {
    var machine = suspending(from: .foreground)
    _ = machine.handle(.signal(.continue, at: 2))
    expectNoDifference(machine.handle(.signal(.stop, at: 3)), [.armStop(since: 3)])
    expectNoDifference(machine.handle(.armed(isCancelled: false)), [.startGrace(of: .stop)])
    _ = machine.handle(.deliveriesFinished)
    expectNoDifference(machine.handle(.tasksFinished), [.stop])
  }

  @Test func sigcontWithoutAStopSaysNothingWhileTheTerminalIsKept() {
    var machine = JobControlMachine(terminal: .foreground)
    expectNoDifference(machine.handle(.signal(.continue, at: 1)), [.readTerminal(because: 1)])
    expectNoDifference(machine.handle(.terminal(.foreground, because: 1)), [])
    expectNoDifference(
      machine.handle(.terminal(.background, because: 2)),
      [.announce(.background, signal: .continue, at: 2, isAwaited: false)]
    )
    expectNoDifference(
      machine.handle(.terminal(.foreground, because: 3)),
      [.announce(.active, signal: .continue, at: 3, isAwaited: false)]
    )
  }

  @Test func aTerminalThatHungUpIsNotPolled() {
    var machine = JobControlMachine(terminal: .background)
    #expect(machine.needsPolling)
    expectNoDifference(machine.handle(.terminal(.gone, because: nil)), [])
    #expect(!machine.needsPolling)
  }

  @Test func theProcessDiesBySignalAfterItsObservers() {
    var machine = JobControlMachine(terminal: .foreground)
    expectNoDifference(
      machine.handle(.signal(.interrupt, at: 1)),
      [
        .startGrace(of: .end),
        .announce(.termination, signal: .interrupt, at: 1, isAwaited: true),
      ]
    )
    _ = machine.handle(.deliveriesFinished)
    expectNoDifference(machine.handle(.tasksFinished), [.die(.interrupt)])
  }

  @Test func aSecondEndHurriesTheObservers() {
    var machine = JobControlMachine(terminal: .foreground)
    _ = machine.handle(.signal(.terminate, at: 1))
    expectNoDifference(machine.handle(.signal(.interrupt, at: 2)), [.hurry])
    expectNoDifference(machine.handle(.signal(.terminate, at: 3)), [])
    expectNoDifference(
      machine.handle(.deadlinePassed),
      [.die(.terminate)],
      "the overrun is no surprise"
    )
  }

  @Test func aHangUpIsNotRepeatedByAnother() {
    var machine = JobControlMachine(terminal: .foreground)
    _ = machine.handle(.signal(.hangUp, at: 1))
    expectNoDifference(machine.handle(.signal(.hangUp, at: 2)), [])
    expectNoDifference(machine.handle(.signal(.stop, at: 3)), [])
    expectNoDifference(machine.handle(.signal(.terminate, at: 4)), [], "systemd sends both")
    expectNoDifference(machine.handle(.signal(.hangUp, at: 5)), [])
    expectNoDifference(machine.handle(.signal(.terminate, at: 6)), [.hurry])
    _ = machine.handle(.deliveriesFinished)
    expectNoDifference(machine.handle(.tasksFinished), [.die(.terminate)])
  }

  @Test func sigtermTakesPrecedenceOverAStop() {
    var machine = suspending(from: .foreground)
    expectNoDifference(
      machine.handle(.signal(.terminate, at: 2)),
      [
        .disarmStop, .startGrace(of: .end),
        .announce(.termination, signal: .terminate, at: 2, isAwaited: true),
      ]
    )
    expectNoDifference(machine.handle(.deadlinePassed), [.reportOverrun])
    expectNoDifference(machine.handle(.tasksFinished), [.die(.terminate)])
  }

  @Test func withAnotherOneToEndTheProcessTheEndIsOnlyAnnounced() {
    var machine = JobControlMachine(terminal: .foreground)
    machine.termination = .observe
    expectNoDifference(
      machine.handle(.signal(.terminate, at: 1)),
      [.announce(.termination, signal: .terminate, at: 1, isAwaited: false)]
    )
    expectNoDifference(machine.handle(.signal(.terminate, at: 2)), [])
    expectNoDifference(
      machine.handle(.signal(.stop, at: 3)),
      [.armStop(since: 3)],
      "Ctrl-Z still works"
    )
  }

  @Test func sigcontWhileTasksHoldTheStopUpTakesItBack() {
    var machine = suspending(from: .foreground)
    expectNoDifference(machine.handle(.deliveriesFinished), [])
    #expect(machine.awaitsTasks)
    expectNoDifference(
      machine.handle(.signal(.continue, at: 2)),
      [.disarmStop, .endGrace, .readTerminal(because: nil)]
    )
    #expect(!machine.awaitsTasks)
    expectNoDifference(
      machine.handle(.terminal(.foreground, because: nil)),
      [.announce(.active, signal: nil, at: nil, isAwaited: false)]
    )
  }

  @Test func sigcontBeforeTheStopDoesNotTakeItBackWhileTasksHoldItUp() {
    var machine = suspending(from: .foreground)
    expectNoDifference(machine.handle(.deliveriesFinished), [])
    expectNoDifference(machine.handle(.signal(.continue, at: 0)), [])
    #expect(machine.awaitsTasks)
  }

  @Test func tasksThatEndBeforeTheObserversAreAskedForAgain() {
    var machine = suspending(from: .foreground)
    expectNoDifference(machine.handle(.tasksFinished), [], "an observer may begin another")
    #expect(!machine.awaitsTasks)
    expectNoDifference(machine.handle(.deliveriesFinished), [])
    #expect(machine.awaitsTasks)
  }

  @Test func sigtermWhileTasksHoldTheStopUpIsAnnounced() {
    var machine = suspending(from: .foreground)
    _ = machine.handle(.deliveriesFinished)
    expectNoDifference(
      machine.handle(.signal(.terminate, at: 2)),
      [
        .disarmStop, .startGrace(of: .end),
        .announce(.termination, signal: .terminate, at: 2, isAwaited: true),
      ]
    )
  }

  @Test func withAnotherOneToEndTheProcessSigtermTakesAStopBackThatWaits() {
    var machine = suspending(from: .foreground)
    machine.termination = .observe
    _ = machine.handle(.deliveriesFinished)
    expectNoDifference(
      machine.handle(.signal(.terminate, at: 2)),
      [
        .disarmStop, .endGrace,
        .announce(.termination, signal: .terminate, at: 2, isAwaited: false),
        .readTerminal(because: nil),
      ]
    )
  }

  @Test func aSecondEndHurriesTasks() {
    var machine = JobControlMachine(terminal: .foreground)
    _ = machine.handle(.signal(.hangUp, at: 1))
    _ = machine.handle(.deliveriesFinished)
    expectNoDifference(machine.handle(.signal(.hangUp, at: 2)), [])
    expectNoDifference(machine.handle(.deadlinePassed), [])
    expectNoDifference(machine.handle(.signal(.terminate, at: 3)), [], "systemd sends both")
    expectNoDifference(machine.handle(.signal(.interrupt, at: 4)), [.hurry])
    expectNoDifference(machine.handle(.deadlinePassed), [.die(.interrupt)])
  }

  @Test func observersWhoWereHurriedAndReturnLeaveTheRestToTasks() {
    var machine = JobControlMachine(terminal: .foreground)
    _ = machine.handle(.signal(.terminate, at: 1))
    expectNoDifference(machine.handle(.signal(.terminate, at: 2)), [.hurry])
    expectNoDifference(machine.handle(.deliveriesFinished), [])
    #expect(machine.awaitsTasks)
    expectNoDifference(machine.handle(.deadlinePassed), [.die(.terminate)])
  }

  @Test func aRequestToReloadIsAnnouncedAndTheProcessGoesOn() {
    var machine = JobControlMachine(terminal: .foreground)
    machine.reloads = .hangUp
    for moment: SignalMoment in [1, 2] {
      expectNoDifference(
        machine.handle(.signal(.hangUp, at: moment)),
        [
          .announce(.reload, signal: .hangUp, at: moment, isAwaited: false),
          .readTerminal(because: nil),
        ]
      )
      #expect(machine.isIdle)
    }
    expectNoDifference(
      machine.handle(.terminal(.gone, because: nil)),
      [.announce(.background, signal: nil, at: nil, isAwaited: false)],
      "the terminal hung up"
    )
  }

  @Test func aRequestToReloadLeavesAStopAlone() {
    var machine = suspending(from: .foreground)
    machine.reloads = .hangUp
    let reload = [JobControlAction.announce(.reload, signal: .hangUp, at: 2, isAwaited: false)]
    expectNoDifference(machine.handle(.signal(.hangUp, at: 2)), reload)
    expectNoDifference(machine.handle(.deliveriesFinished), [])
    expectNoDifference(machine.handle(.signal(.hangUp, at: 2)), reload)
    expectNoDifference(machine.handle(.tasksFinished), [.stop])
  }

  @Test func aRequestToReloadIsVoidOnceTheEndIsAnnounced() {
    for termination in [ProcessSignalSource.Termination.reraise, .observe] {
      var machine = JobControlMachine(terminal: .foreground)
      machine.reloads = .hangUp
      machine.termination = termination
      _ = machine.handle(.signal(.terminate, at: 1))
      expectNoDifference(machine.handle(.signal(.hangUp, at: 2)), [])
    }
  }

  @Test func aSignalIsAQuestionFirstAndTheEndIfAllAgree() {
    var machine = JobControlMachine(terminal: .foreground)
    machine.asks = true
    expectNoDifference(machine.handle(.signal(.terminate, at: 1)), [.ask(.terminate)])
    #expect(!machine.isIdle)
    #expect(!machine.isEnding)
    expectNoDifference(
      machine.handle(.exitAnswered(isCancelled: false, at: 5)),
      [
        .startGrace(of: .end),
        .announce(.termination, signal: .terminate, at: 5, isAwaited: true),
      ]
    )
  }

  @Test func anEndThatIsCancelledLeavesNothingBehind() {
    for termination in [ProcessSignalSource.Termination.reraise, .observe] {
      var machine = JobControlMachine(terminal: .foreground)
      machine.asks = true
      machine.termination = termination
      let before = machine
      _ = machine.handle(.signal(.terminate, at: 1))
      expectNoDifference(machine.handle(.exitAnswered(isCancelled: true, at: 5)), [])
      expectNoDifference(machine, before)
    }
  }

  @Test func aSecondEndInsists() {
    let least = SignalMoment(integerLiteral: JobControlMachine.leastTime)
    for (moment, ends) in [(2, false), (least, true)] as [(SignalMoment, Bool)] {
      var machine = JobControlMachine(terminal: .foreground)
      machine.asks = true
      _ = machine.handle(.signal(.terminate, at: 0))
      let actions = machine.handle(.signal(.interrupt, at: moment))
      expectNoDifference(
        actions.first,
        ends ? .stopAsking : nil,
        "timeout(1) sends two and means one"
      )
      expectNoDifference(machine.isEnding, ends)
    }
  }

  @Test func aHangUpWithSigtermIsOneQuestion() {
    let later = SignalMoment(integerLiteral: JobControlMachine.leastTime)
    var machine = JobControlMachine(terminal: .foreground)
    machine.asks = true
    expectNoDifference(machine.handle(.signal(.hangUp, at: 0)), [.ask(.hangUp)])
    expectNoDifference(machine.handle(.signal(.terminate, at: later)), [])
    expectNoDifference(machine.handle(.signal(.hangUp, at: later)), [])
    expectNoDifference(machine.handle(.signal(.terminate, at: later)).first, .stopAsking)
  }

  @Test func ctrlZStopsTheProcessWhileObserversAreAsked() {
    var machine = JobControlMachine(terminal: .foreground)
    machine.asks = true
    _ = machine.handle(.signal(.terminate, at: 1))
    expectNoDifference(machine.handle(.signal(.stop, at: 2)), [.armStop(since: 2)])
    _ = machine.handle(.armed(isCancelled: false))
    expectNoDifference(
      machine.handle(.exitAnswered(isCancelled: false, at: 3)),
      [
        .disarmStop, .startGrace(of: .end),
        .announce(.termination, signal: .terminate, at: 3, isAwaited: true),
      ]
    )
  }

  @Test func aSignalIsEndingTheProcessFromItsArrivalOn() {
    var machine = suspending(from: .foreground)
    #expect(!machine.isEnding)
    _ = machine.handle(.signal(.terminate, at: 2))
    #expect(machine.isEnding)
    _ = machine.handle(.deliveriesFinished)
    #expect(machine.isEnding)
    _ = machine.handle(.tasksFinished)
    #expect(machine.isEnding)
  }

  @Test func aSignalThatAnotherPartyHandlesIsNotEndingTheProcess() {
    var machine = JobControlMachine(terminal: .foreground)
    machine.termination = .observe
    _ = machine.handle(.signal(.terminate, at: 1))
    #expect(!machine.isEnding)
  }

  private func suspending(from terminal: TerminalState) -> JobControlMachine {
    var machine = JobControlMachine(terminal: terminal)
    _ = machine.handle(.signal(.stop, at: 1))
    _ = machine.handle(.armed(isCancelled: false))
    return machine
  }
}

extension SignalMoment: ExpressibleByIntegerLiteral {
  package init(integerLiteral value: Int64) {
    self.init(continuous: value, suspending: value, wall: value)
  }
}
