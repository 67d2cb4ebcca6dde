// What must not compile for any platform, as it is newer than the manifest's versions: a symbol, and a
// conformance. A check that falls silent is noticed here.

// expected-note@+1 2 {{add '@available'}}
func useNewerVersion() {
  // expected-note@+2 {{add 'if #available'}}
  // expected-error@+1 {{'immediate(name:priority:executorPreference:operation:)' is only available in}}
  Task.immediate {}

  func count(_ values: some Collection) {}
  // expected-note@+2 {{add 'if #available'}}
  // expected-error@+1 {{conformance of 'EnumeratedSequence<Base>' to 'Collection' is only available in}}
  count([1].enumerated())
}
