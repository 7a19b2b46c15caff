import Wharf

/// A failure of a read in a few words; `--explain` and `--json` give the whole message.
enum FailureText {
    static func short(_ failure: ReadFailure, _ plan: GetPlan) -> String {
        if failure.code == .status, let response = failure.response {
            return "the server answered \(Plain.status(response.status))"
        }
        // A redirect may have led to another host, which only the message names.
        guard let place = plan.target.authority, failure.message.contains(place) || failure.code == .timedOut else {
            return failure.message
        }
        return switch failure.code {
        case .connectionFailed: "no connection to \(place)"
        case .hostNotFound: "no address for \(place)"
        case .connectionLost: "the connection to \(place) broke"
        case .offline: "no network to reach \(place)"
        case .timedOut: timedOut(place, plan.request.timeout)
        default: failure.message
        }
    }

    private static func timedOut(_ place: String, _ timeout: Duration?) -> String {
        guard let timeout else { return "no complete answer from \(place) in time" }
        let seconds = timeout < .seconds(1) ? "\(Plain.seconds(timeout)) s" : Plain.duration(timeout)
        return "no complete answer from \(place) within \(seconds)"
    }
}
