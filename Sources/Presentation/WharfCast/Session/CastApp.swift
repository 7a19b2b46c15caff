internal import WharfJSON

/// A running instance of the default media receiver.
struct CastApp: Hashable {
    let sessionID: String
    /// The destination of its messages.
    let transportID: String

    /// - Parameter status: the device's status from `RECEIVER_STATUS`. The result is nil if another
    ///   app runs, or none.
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
