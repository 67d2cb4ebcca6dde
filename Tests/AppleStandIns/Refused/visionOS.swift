// What must not compile for visionOS, with what the compiler says.

import LifecycleBackgroundWork
import LifecycleSources
import ReactiveLifecycle
import UIKit

// expected-error@+1 {{cannot find type 'UIApplicationFetchHost' in scope}}
func host() -> UIApplicationFetchHost? { nil }

@MainActor func unavailable(_ application: UIApplication) {
  // expected-error@+1 {{'setMinimumBackgroundFetchInterval' is unavailable}}
  application.setMinimumBackgroundFetchInterval(0)
}

// What there is.
func result() -> UIBackgroundFetchResult { UIBackgroundFetchResult(.newData) }
