import ReactiveLifecycle

/// How a countdown tells what happens.
@MainActor
package protocol RentalReport: AnyObject {
  func event(_ event: LifecycleEvent)
  func suppressed(_ input: SuppressedInput)
  func update(_ update: RentalViewModel.Update)
}
