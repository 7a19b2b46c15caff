/// A check that edits do not overwrite changes that their authors have not seen.
///
/// It works on the values of members, and each value is written only once. If a person changes a
/// value that a client shows, this is an intention. If the service accepts an edit that replaces
/// one value by another, intentions of that client must lead from the first to the second.
package struct EditHistory: Sendable {
    private struct Intention: Sendable {
        let writer: String
        let shown: String
    }

    private var intentions: [String: [Intention]] = [:]
    /// The writer of each value.
    private var writers: [String: String] = [:]

    package init() {}

    /// Records that a person has changed a shown value.
    package mutating func intend(_ value: String, over shown: String, by writer: String) {
        intentions[value, default: []].append(Intention(writer: writer, shown: shown))
        if writers[value] == nil { writers[value] = writer }
    }

    /// Records that the service has a new value.
    package mutating func wrote(_ value: String, by writer: String) { writers[value] = writer }

    /// Returns whether a client may replace a value of the service by another.
    ///
    /// It may if it has seen the old value, or has replaced it over own values that lead there.
    package func mayPut(_ value: String, over before: String, by client: String) -> Bool {
        // From the new value back over the client's own values, until one was made over the
        // replaced value.
        var values = [value]
        var known: Set = [value]
        while let value = values.popLast() {
            for intention in intentions[value] ?? [] where intention.writer == client {
                if intention.shown == before || writers[before] == client { return true }
                // Each value once, so that a cycle of values ends.
                if writers[intention.shown] == client, known.insert(intention.shown).inserted {
                    values.append(intention.shown)
                }
            }
        }
        return false
    }
}
