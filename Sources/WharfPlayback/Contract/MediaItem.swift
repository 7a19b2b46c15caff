/// What a player plays: where its data is, and what a screen shows of it.
public struct MediaItem: Hashable, Sendable {
    /// Says whether two items are the same film, whatever its address is today.
    public var id: String
    /// The address of the data, as text. A second screen fetches it by itself, so it must be
    /// reachable from there.
    public var url: String
    /// The media type (RFC 6838), as `video/mp4`.
    public var contentType: String
    public var title: String?
    /// Nil where it is not known, or where there is no end, as with a live broadcast.
    public var duration: Duration?

    public init(id: String, url: String, contentType: String, title: String? = nil, duration: Duration? = nil) {
        self.id = id
        self.url = url
        self.contentType = contentType
        self.title = title
        self.duration = duration
    }
}
