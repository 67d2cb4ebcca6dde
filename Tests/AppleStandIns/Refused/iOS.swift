// What must not compile for iOS, with what the compiler says.

import UIKit

// expected-note@+1 {{add '@MainActor'}}
func outsideTheMainActor() {
  // expected-error@+1 {{can not be referenced from a nonisolated context}}
  _ = UIApplication.shared
}
