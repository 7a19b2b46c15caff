#if Cast
/// One message of CASTV2: `CastMessage` of cast_channel.proto, in the Open Screen Library of
/// Chromium.
struct CastMessage: Hashable, Sendable {
    enum Payload: Hashable, Sendable {
        case text(String)
        case binary([UInt8])
    }

    /// Who says it on this connection, as `sender-0`.
    var source: String
    /// Who is meant: the device as `receiver-0`, the transport of an app, or everybody as `*`.
    var destination: String
    /// What it is about, which says how to read the payload.
    var namespace: String
    var payload: Payload
}
#endif
