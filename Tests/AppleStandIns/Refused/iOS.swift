// What must not compile for iOS, with what the compiler says.

import LifecycleSources
import UIKit

// expected-note@+1 {{add '@MainActor'}}
func outsideTheMainActor() {
  // expected-error@+1 {{can not be referenced from a nonisolated context}}
  _ = UIApplication.backgroundFetchIntervalNever
}

@MainActor func deprecated(_ application: UIApplication) {
  // expected-warning@+1 {{'setMinimumBackgroundFetchInterval' is deprecated: Use a BGAppRefreshTask}}
  application.setMinimumBackgroundFetchInterval(0)
}
