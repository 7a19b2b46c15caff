/// One message of CASTV2.
///
/// It is `CastMessage` in cast_channel.proto of Chromium's Open Screen Library.
struct CastMessage: Hashable, Sendable {
    enum Payload: Hashable, Sendable {
        case text(String)
        case binary([UInt8])
    }

    /// The sender on this connection, such as `sender-0`.
    var source: String
    /// The addressee: the device as `receiver-0`, an app's transport, or all as `*`.
    var destination: String
    /// The namespace, which determines the format of the payload.
    var namespace: String
    var payload: Payload
}
