import ArgumentParser
import JobControl

JobControlShell.runIfRequested(CommandLine.arguments)
LifecycleProbe.main()
