internal import WharfCore
public import WharfStorage

extension DeadLetter {
    /// The failure and its remedy, in English sentences for a person.
    public var explanation: String {
        "\(entry.kind.name) to \(destination) \(reason) \(advice)"
    }

    private var reason: String {
        let tries = attempts == 1 ? "1 attempt" : "\(attempts) attempts"
        let said = failure.status.map { "status \($0), \(failure.message)" } ?? failure.message
        return switch failure.code {
        case .conflict: "conflicts with another client's change: \(said)."
        case .rejected: "was refused: \(said)."
        case .exhausted: "did not arrive in \(tries): \(said)."
        case .dependencyDiscarded, .dependencyForgotten: "was never sent: \(said)."
        case .unreadable: "could not be read by its destination: \(said)."
        default: "failed after \(tries) (\(failure.code)): \(said)."
        }
    }

    private var advice: String {
        switch failure.code {
        case .conflict: "Compare both, then edit it, or discard it to keep theirs."
        case .rejected, .unreadable: "The same bytes would fail again: edit or discard it."
        case .dependencyDiscarded: "Discard it as well, or retry it if it makes sense alone."
        case .dependencyForgotten:
            "Retry it if its dependency was delivered and assigned no ids, or edit or discard it."
        default: "Retry it when the receiver works again, or discard it."
        }
    }
}
