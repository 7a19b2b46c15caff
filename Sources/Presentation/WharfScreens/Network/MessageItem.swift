internal import WharfJSON
internal import WharfPlayback

/// A media item in the screen protocol.
struct MessageItem: JSONDecodable, JSONEncodable {
    var item: MediaItem

    static func decode(from json: inout JSONReader) -> Self? {
        guard var fields = json.beginObject() else { return nil }
        var id: String?, url: String?, contentType: String?, title: String?, duration: Int64?
        repeat {
            json.read("id", 0, into: &id, &fields)
            json.read("url", 1, into: &url, &fields)
            json.read("contentType", 2, into: &contentType, &fields)
            json.read("title", 3, into: &title, &fields)
            json.read("duration", 4, into: &duration, &fields)
        } while json.next(&fields)
        guard let id, let url, let contentType else {
            return json.incomplete(fields, required: [(0, "id"), (1, "url"), (2, "contentType")])
        }
        return Self(
            item: MediaItem(
                id: id, url: url, contentType: contentType, title: title,
                duration: duration.map { .milliseconds($0) }))
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("id", item.id)
        json.field("url", item.url)
        json.field("contentType", item.contentType)
        json.fieldIfPresent("title", item.title)
        json.fieldIfPresent("duration", item.duration?.milliseconds)
        json.endObject()
    }
}

extension Duration {
    /// The whole milliseconds, rounded toward zero and clamped to `Int64`.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, carried) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return carried ? (seconds < 0 ? .min : .max) : sum
    }
}
