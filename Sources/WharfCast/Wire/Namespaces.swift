#if Cast
/// The namespaces that a sender of media speaks. What comes in others is none of its business.
enum Namespace: String {
    case connection = "urn:x-cast:com.google.cast.tp.connection"
    case heartbeat = "urn:x-cast:com.google.cast.tp.heartbeat"
    case receiver = "urn:x-cast:com.google.cast.receiver"
    case media = "urn:x-cast:com.google.cast.media"
}

/// The device itself, for its status and its apps.
let platform = "receiver-0"
/// This end. Each connection has senders of its own, so the name need not differ from that on
/// another.
let sender = "sender-0"
/// Google's default media receiver, the app that plays what it is given the address of.
let defaultMediaReceiver = "CC1AD845"
#endif
