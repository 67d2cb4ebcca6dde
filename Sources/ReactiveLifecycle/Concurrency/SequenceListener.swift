/// The listener of a sequence, which leaves the bus when its last reference is released.
final class SequenceListener<Element: Sendable>: Sendable {
  private let buffer: SequenceBuffer<Element>
  private let row: ObserverRow

  init(_ buffer: SequenceBuffer<Element>, _ row: ObserverRow) {
    self.buffer = buffer
    self.row = row
  }

  deinit { row.cancel() }

  func next(isolation: isolated (any Actor)?) async -> Element? {
    await withTaskCancellationHandler {
      await buffer.next(isolation: isolation)
    } onCancel: {
      row.cancel()
      buffer.finish()
    }
  }
}
