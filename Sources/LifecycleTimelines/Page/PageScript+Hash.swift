extension PageScript {
  /// The content of the `script` element, also for a reader of XML.
  static let element = "//<![CDATA[\(text)//]]>"

  /// The hash of ``element`` that the page's security policy names, so that a browser runs this
  /// script and no other. After a change of the script,
  /// `Tests/LifecycleTimelinesTests/Page/check-timeline` prints the new one.
  static let hash = "sha256-I0gCz/XRDcEWckYNK8inKcvi/QZRypLp+ZgCJzGwvOQ="
}
