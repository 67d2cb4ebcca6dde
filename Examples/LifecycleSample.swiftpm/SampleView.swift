import ReactiveLifecycle
import SwiftUI

struct SampleView: View {
  let sample: Sample

  var body: some View {
    Form {
      Section("Loaded at an opening") {
        Text(sample.news.headline ?? "Loading …")
      }
      Section("Survives a kill") {
        if let rental = sample.rental {
          Text(rental.text)
          Button("Rent for five minutes") { rental.start() }
        }
        Text(sample.lastRun)
      }
      Section("Pauses in the background") {
        Text("\(sample.sensor.readings.count) readings")
      }
      Section("Continues in the background") {
        Text(sample.upload.status)
        Button("Upload for 20 seconds") { Task { await sample.upload.start() } }
      }
      Section("Events") {
        ForEach(sample.events.lines, id: \.self) { Text($0) }
        if let file = sample.recording.file { ShareLink(item: file) }
      }
    }
    .onOpen { await sample.news.load() }
  }
}
