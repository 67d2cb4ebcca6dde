// Names are plain text to whoever reflects them, custom-dump among others.

extension LifecycleEvent.Kind: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension LifecycleSourceName: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension LifecycleParty: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}
