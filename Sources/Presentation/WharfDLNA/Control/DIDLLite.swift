internal import WharfPlayback

/// The metadata of an item for `SetAVTransportURI`, as in ContentDirectory:1.
enum DIDLLite {
    /// Returns an XML document. As an argument of an action it is escaped once more.
    static func document(for item: MediaItem) -> String {
        let duration = item.duration.map { #" duration="\#(RelativeTime.print($0))""# } ?? ""
        return #"<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" "#
            + #"xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/">"#
            + #"<item id="\#(item.id.escapedForMarkup)" parentID="-1" restricted="1">"#
            + "<dc:title>\((item.title ?? item.id).escapedForMarkup)</dc:title>"
            + "<upnp:class>\(itemClass(of: item.contentType))</upnp:class>"
            + #"<res protocolInfo="\#(protocolInfo(of: item).escapedForMarkup)"\#(duration)>"#
            + "\(item.url.escapedForMarkup)</res></item></DIDL-Lite>"
    }

    /// Returns the protocol, the network, the content format and the DLNA parameters.
    ///
    /// The DLNA parameters are unknown here (ConnectionManager:1 section 2.5.2).
    static func protocolInfo(of item: MediaItem) -> String {
        let type = item.contentType.filter { !$0.isWhitespace }
        return "http-get:*:\(type.isEmpty ? "*" : type):*"
    }

    /// Returns the item that a device reports, as far as it describes it.
    ///
    /// An item that was sent by an app of Wharf comes back unchanged.
    ///
    /// - Parameters:
    ///   - metadata: DIDL-Lite. If it is missing or invalid, the item has only its address.
    static func item(at uri: String, _ metadata: String?) -> MediaItem {
        var item = MediaItem(id: uri, url: uri, contentType: "application/octet-stream")
        guard let metadata, let found = described(by: metadata) else { return item }
        item.id = found.attributes["id"] ?? uri
        item.title = found["title"]
        guard let resource = found.children.first(where: { $0.name == "res" && $0.text == uri }) ?? found.child("res")
        else { return item }
        item.duration = resource.attributes["duration"].flatMap(RelativeTime.parse)
        let info = resource.attributes["protocolInfo"]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        // A media type may contain a colon, so all fields between the network and the last one
        // belong to it.
        if info.count >= 4, info[2] != "*" { item.contentType = info[2...].dropLast().joined(separator: ":") }
        return item
    }

    private static func described(by metadata: String) -> Markup? {
        // Metadata of other apps need not be XML. Without it the item is only less detailed.
        do throws(PlaybackError) {
            return try Markup.read(Array(metadata.utf8), from: "metadata").first("item")
        } catch {
            return nil
        }
    }

    private static func itemClass(of contentType: String) -> String {
        switch contentType.lowercased().prefix(while: { $0 != "/" }) {
        case "audio": "object.item.audioItem.musicTrack"
        case "image": "object.item.imageItem.photo"
        default: "object.item.videoItem"
        }
    }
}
