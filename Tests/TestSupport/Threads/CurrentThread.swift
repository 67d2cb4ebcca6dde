import Foundation

/// The thread that calls.
public func currentThread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }
