#if Services
  import JobControl

  JobControlShell.runIfRequested(CommandLine.arguments)
  try await ServiceProbe(CommandLine.arguments.dropFirst()).run()
#endif
