import Wharf
import WharfStorage

/// The pause of a destination, for display.
struct ShownPause {
    let place: PausedDestination
    let pause: OutboxPause

    /// A sentence, as in
    /// `api of the account anna is paused since 2026-11-22T14:05:38Z: the service moves`.
    var sentence: String { "\(place.named) is paused \(pause.text)" }

    var json: JSONObject {
        var object = JSONObject()
        object.add("account", place.account?.name)
        object.add("destination", place.destination)
        pause.add(to: &object)
        return object
    }
}

extension PausedDestination {
    /// The destination as named in a sentence.
    var named: String { account.map { "\(destination) of the account \($0.name)" } ?? destination }
}

extension OutboxPause {
    /// The pause as in `since 2026-11-22T14:05:38Z: the service moves`.
    var text: String { "since \(Plain.time(since))" + (reason.map { ": \($0)" } ?? "") }

    func add(to object: inout JSONObject) {
        object.add("since", Plain.time(since))
        object.add("reason", reason)
    }
}
