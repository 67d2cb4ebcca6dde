import BenchmarkSupport

let program = PeerProgram("notification-center")
addSendingRows(to: program)
addSubscribingRows(to: program)
addThreadRows(to: program)
program.run()
