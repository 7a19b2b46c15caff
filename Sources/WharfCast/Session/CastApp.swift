#if Cast
internal import WharfJSON

/// A run of the default media receiver.
struct CastApp: Hashable {
    let sessionID: String
    /// Where its messages go.
    let transportID: String

    /// - Parameter status: of the device, from `RECEIVER_STATUS`. Nil where another app runs, or
    ///   none.
    init?(in status: JSONValue?) {
        let running = status?["applications"]?.elements.first { $0["appId"]?.text == defaultMediaReceiver }
        guard let running, let sessionID = running["sessionId"]?.text, let transportID = running["transportId"]?.text
        else {
            return nil
        }
        self.sessionID = sessionID
        self.transportID = transportID
    }
}
#endif
