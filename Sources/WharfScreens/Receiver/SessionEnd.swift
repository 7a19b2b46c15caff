/// Why a session is over.
enum SessionEnd: Hashable, Sendable {
    case takenOver
    case letGo
    case switchedOff
    /// It was forgotten, or is of a receiver that was started before: nobody knows any more how it
    /// ended.
    case expired
}

extension ScreenMessage.Failure {
    init(_ end: SessionEnd) {
        switch end {
        case .takenOver: self.init(code: "takenOver", message: "another sender has taken the screen over")
        case .letGo: self.init(code: "closed", message: "the sender has let go of the session")
        case .switchedOff: self.init(code: "closed", message: "the screen was switched off")
        case .expired:
            self.init(
                code: "expired",
                message: "the session has expired, or is of before the screen was started; open another one")
        }
    }
}
