import Dispatch
import ReactiveLifecycle

let screen = LifecycleScope("screen")
LifecycleBus.application.onReturn(in: screen) { stay in
  print("Welcome back: \(stay)")
}
dispatchMain()
