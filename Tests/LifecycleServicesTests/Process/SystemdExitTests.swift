#if Services
  import CustomDump
  import TestSupport
  import Testing

  @Suite("systemd: the exit of the process", .serialized, .startsProcesses)
  struct SystemdExitTests {
    @Test(
      "A return from main is notified, with the bus and after its release",
      arguments: [[], ["released"]]
    )
    func returnFromMain(_ arguments: [String]) throws {
      let socket = try DatagramSocket(.abstract)
      let probe = try builtProgramPath("service-probe")
      let child = try PipedChild(
        ["env", "NOTIFY_SOCKET=\(socket.name)", probe, "returns"] + arguments
      )
      child.wait()
      expectNoDifference(socket.takeMessages(), ["READY=1", "STOPPING=1 STATUS=Stopping"])
    }
  }
#endif
