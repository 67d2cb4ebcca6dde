import BenchmarkSupport

let program = PeerProgram("open-combine")
addSendingRows(to: program)
addSubscribingRows(to: program)
addThreadRows(to: program)
program.run()
