import CustomDump
import ReactiveLifecycle

extension LifecycleTranscript.Style {
  func rounded(_ duration: Duration) -> Duration {
    guard let precision, precision > .zero else { return duration }
    return precision * Int((duration / precision).rounded(.down))
  }

  func text(of value: Any) -> String {
    String(customDumping: value)
  }
}
