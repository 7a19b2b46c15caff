/// What a device says of its transport at one moment.
struct TransportReading: Hashable, Sendable {
    /// `CurrentTransportState` (AVTransport:1 section 2.2.1).
    enum State: Hashable, Sendable {
        case stopped, playing, paused, transitioning, noMedia
        /// Recording, or a maker's own.
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
    /// `CurrentTransportStatus` is `ERROR_OCCURRED`.
    var hasFailed = false
    /// Nil where it does not say.
    var position: Duration?
    /// Nil where it does not say, or says zero, as while it does not know yet.
    var duration: Duration?
    /// What it plays; nil where it does not say.
    var uri: String?
    /// DIDL-Lite of what it plays; nil where it does not say.
    var metadata: String?
}
