/// An item to play: the address of its data, and its description on a screen.
public struct MediaItem: Hashable, Sendable {
    /// The identity of the item. It stays the same when the address changes.
    public var id: String
    /// The address of the data, as text. A second screen fetches the data itself, so the address
    /// has to be reachable from there.
    public var url: String
    /// The media type (RFC 6838), such as `video/mp4`.
    public var contentType: String
    /// The title that a screen shows; nil for none.
    public var title: String?
    /// The duration; nil if it is unknown or infinite, as for a live broadcast.
    public var duration: Duration?

    /// Creates an item.
    public init(id: String, url: String, contentType: String, title: String? = nil, duration: Duration? = nil) {
        self.id = id
        self.url = url
        self.contentType = contentType
        self.title = title
        self.duration = duration
    }
}
