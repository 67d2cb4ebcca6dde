import SwiftUI

@main
struct LifecycleSampleApp: App {
  @State private var sample = Sample()

  var body: some Scene {
    WindowGroup {
      SampleView(sample: sample)
    }
  }
}
