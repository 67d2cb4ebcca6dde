import Foundation

@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
public protocol Transferable {}

@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
extension Never: Transferable {}

@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
extension URL: Transferable {}

@available(iOS 16, macOS 13, watchOS 9, *)
@available(tvOS, unavailable)
public struct DefaultShareLinkLabel: View {
  public var body: some View { return opaque() }
}

@available(iOS 16, macOS 13, watchOS 9, *)
@available(tvOS, unavailable)
public struct ShareLink<
  Data: RandomAccessCollection,
  PreviewImage: Transferable,
  PreviewIcon: Transferable,
  Label: View
>: View where Data.Element: Transferable {
  public var body: some View { return opaque() }
}

@available(iOS 16, macOS 13, watchOS 9, *)
@available(tvOS, unavailable)
extension ShareLink
where PreviewImage == Never, PreviewIcon == Never, Label == DefaultShareLinkLabel {
  nonisolated public init(item: URL, subject: Text? = nil, message: Text? = nil)
  where Data == CollectionOfOne<URL> { fatalError() }
}
