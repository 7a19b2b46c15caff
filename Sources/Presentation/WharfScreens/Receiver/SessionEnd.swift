/// The reason why a session is over.
enum SessionEnd: Hashable, Sendable {
    case takenOver
    case letGo
    case switchedOff
    /// The session is unknown.
    ///
    /// Its end was forgotten, or the receiver has been restarted since.
    case expired
}

extension ScreenMessage.Failure {
    init(_ end: SessionEnd) {
        switch end {
        case .takenOver: self.init(code: "takenOver", message: "another sender has taken the screen over")
        case .letGo: self.init(code: "closed", message: "the sender has closed the session")
        case .switchedOff: self.init(code: "closed", message: "the screen was switched off")
        case .expired:
            self.init(
                code: "expired",
                message: "the session has expired, or is from before the screen's last start; open another one")
        }
    }
}
