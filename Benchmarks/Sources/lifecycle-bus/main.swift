import BenchmarkSupport

let program = PeerProgram("lifecycle-bus")
addClosureRows(to: program)
addStreamRows(to: program)
addSubscribingRows(to: program)
addThreadRows(to: program)
addCountdownRows(to: program)
addJournalRows(to: program)
program.run()
