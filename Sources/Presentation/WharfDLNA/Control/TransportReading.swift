/// A device's report of its transport at one moment.
struct TransportReading: Hashable, Sendable {
    /// `CurrentTransportState` (AVTransport:1 section 2.2.1).
    enum State: Hashable, Sendable {
        case stopped, playing, paused, transitioning, noMedia
        /// Recording, or a vendor-defined state.
        case other

        init(_ text: String) {
            self =
                switch text.uppercased() {
                case "STOPPED": .stopped
                case "PLAYING": .playing
                case "PAUSED_PLAYBACK": .paused
                case "TRANSITIONING": .transitioning
                case "NO_MEDIA_PRESENT": .noMedia
                default: .other
                }
        }
    }

    var state: State
    /// Whether `CurrentTransportStatus` is `ERROR_OCCURRED`.
    var hasFailed = false
    /// The position; nil if the device does not report it.
    var position: Duration?
    /// The duration; nil if the device does not report it, or reports zero.
    ///
    /// Devices report zero while the duration is unknown.
    var duration: Duration?
    /// The address of the item; nil if the device does not report it.
    var uri: String?
    /// The DIDL-Lite of the item; nil if the device does not report it.
    var metadata: String?
}
