/// The failure of a `ProbePublisher`.
public enum ProbeFailure: Error { case broken }
