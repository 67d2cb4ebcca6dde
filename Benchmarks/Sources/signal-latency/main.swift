import JobControl

JobControlShell.runIfRequested(CommandLine.arguments)
SignalLatency.main()
