import Foundation

public protocol Transferable {}

extension Never: Transferable {}
extension URL: Transferable {}

public struct DefaultShareLinkLabel: View {
  public var body: some View { return opaque() }
}

public struct ShareLink<
  Data: RandomAccessCollection,
  PreviewImage: Transferable,
  PreviewIcon: Transferable,
  Label: View
>: View where Data.Element: Transferable {
  public var body: some View { return opaque() }
}

extension ShareLink
where PreviewImage == Never, PreviewIcon == Never, Label == DefaultShareLinkLabel {
  nonisolated public init(item: URL, subject: Text? = nil, message: Text? = nil)
  where Data == CollectionOfOne<URL> { fatalError() }
}
