/// The namespaces that a media sender uses. Messages in other namespaces are ignored.
enum Namespace: String {
    case connection = "urn:x-cast:com.google.cast.tp.connection"
    case heartbeat = "urn:x-cast:com.google.cast.tp.heartbeat"
    case receiver = "urn:x-cast:com.google.cast.receiver"
    case media = "urn:x-cast:com.google.cast.media"
}

/// The id of the device itself, for its status and its apps.
let platform = "receiver-0"
/// The id of this sender. It is unique only within a connection, so each connection uses the same.
let sender = "sender-0"
/// Google's default media receiver, an app that plays media by their address.
let defaultMediaReceiver = "CC1AD845"
