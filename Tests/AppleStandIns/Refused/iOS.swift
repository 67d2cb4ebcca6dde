// What must not compile for iOS, with what the compiler says.

import BackgroundTasks
import UIKit

// expected-note@+1 {{add '@MainActor'}}
func outsideTheMainActor() {
  // expected-error@+1 {{can not be referenced from a nonisolated context}}
  _ = UIApplication.shared
}

// Newer than the manifest's version, as a stand-in says.
// expected-note@+2 {{add '@available'}}
// expected-error@+1 {{'BGContinuedProcessingTask' is only available in iOS 26}}
func useNewerClass(_ task: BGContinuedProcessingTask) {}
