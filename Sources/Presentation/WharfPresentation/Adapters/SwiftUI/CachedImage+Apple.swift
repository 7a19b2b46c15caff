#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
internal import Foundation
public import SwiftUI
internal import UIKit
public import WharfCore

/// An image that a view reads through a client's cache.
///
/// ```swift
/// CachedImage(film.poster) { url in
///     await client.snapshot(.get(url: url, decoding: .bytes), policy: .cacheFirst)
/// } content: { image, error in
///     if let image { image.resizable() } else if error != nil { Text("No poster") } else { ProgressView() }
/// }
/// ```
///
/// - The policy of the read decides whether a fresh image in the cache saves the request.
/// - The image is decoded off the main actor.
/// - A read that fails keeps the earlier image of this key.
/// - The read is cancelled when the view disappears, and starts again when it reappears.
public struct CachedImage<Key: Hashable & Sendable, Content: View>: View {
    private let key: Key
    private let read: @Sendable (Key) async -> Snapshot<[UInt8]>
    private let content: (Image?, ReadFailure?) -> Content
    @State private var loaded = KeyedSnapshot<Key, UIImage>()

    /// Creates a view of the image that a key identifies.
    ///
    /// - Parameters:
    ///   - key: identifies the image, such as its URL. A new key starts a new read.
    ///   - read: reads the bytes of an image file.
    ///   - content: builds the view. It gets neither image nor error while the first read is in
    ///     flight.
    public init(
        _ key: Key, read: @escaping @Sendable (Key) async -> Snapshot<[UInt8]>,
        @ViewBuilder content: @escaping (Image?, ReadFailure?) -> Content
    ) {
        self.key = key
        self.read = read
        self.content = content
    }

    public var body: some View {
        content(loaded.snapshot?.value.map(Image.init(uiImage:)), loaded.snapshot?.error)
            .task(id: key) { [loaded, key, read] in
                await loaded.load(key) { await UIImage.decoded(read($0)) }
            }
    }
}

extension UIImage {
    /// The error for bytes that UIKit cannot decode.
    private struct Undecodable: Error, CustomStringConvertible {
        let description = "UIKit can't decode the bytes as an image; check that the address leads to an image"
    }

    @concurrent fileprivate static func decoded(_ bytes: Snapshot<[UInt8]>) async -> Snapshot<UIImage> {
        bytes.map { bytes in
            guard let image = UIImage(data: Data(bytes)) else { throw Undecodable() }
            // Without this, UIKit decodes the image on the main actor at its first drawing.
            return image.preparingForDisplay() ?? image
        }
    }
}
#endif
