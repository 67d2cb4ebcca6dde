// What must not compile for visionOS, with what the compiler says.

import LifecycleBackgroundWork
import LifecycleSources
import ReactiveLifecycle
import UIKit

@MainActor func unavailable(_ application: UIApplication) {
  // expected-error@+1 {{'setMinimumBackgroundFetchInterval' is unavailable}}
  application.setMinimumBackgroundFetchInterval(0)
}
