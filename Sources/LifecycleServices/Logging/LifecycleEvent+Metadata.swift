#if Services
  import Logging
  import ReactiveLifecycle

  extension LifecycleEvent {
    /// The metadata of the event's log entry.
    var logMetadata: Logger.Metadata {
      var metadata: Logger.Metadata = [
        "lifecycle.event": "\(kind)",
        "lifecycle.phase": "\(phase)",
        "lifecycle.previous_phase": "\(previousPhase)",
        "lifecycle.sequence_number": "\(sequenceNumber)",
        "lifecycle.origin": "\(origin)",
      ]
      if let backgroundStay {
        metadata["lifecycle.stay.duration"] = "\(backgroundStay.duration)"
        metadata["lifecycle.stay.asleep"] = "\(backgroundStay.timeAsleep)"
      }
      let added = self.metadata.map { ("lifecycle.\($0)", Logger.MetadataValue("\($1)")) }
      return metadata.merging(added) { field, _ in field }
    }
  }

  extension SuppressedInput {
    /// The metadata of the input's log entry.
    var logMetadata: Logger.Metadata {
      [
        "lifecycle.event": "\(kind)",
        "lifecycle.suppressed": "\(reason)",
        "lifecycle.origin": "\(origin)",
      ]
    }
  }
#endif
