/// Objects by their type, held weakly.
struct WeakAttachments {
  private struct Slot {
    weak var object: AnyObject?
  }

  private var slots: [ObjectIdentifier: Slot] = [:]

  subscript<Object: AnyObject>(type: Object.Type) -> Object? {
    get {
      slots[ObjectIdentifier(type)]?.object as? Object
    }
    set {
      slots[ObjectIdentifier(type)] = Slot(object: newValue)
    }
  }
}
