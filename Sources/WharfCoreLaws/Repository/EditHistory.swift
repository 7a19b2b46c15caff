/// Judges whether edits overwrite changes that their makers have not seen.
///
/// It works on the values of members, each of which is written once only. A person changes a value
/// that a client shows; that is an intention. When the service takes an edit that replaces one
/// value by another, an intention of that client has to lead from the one to the other.
package struct EditHistory: Sendable {
    private struct Intention: Sendable {
        let writer: String
        let shown: String
    }

    private var intentions: [String: [Intention]] = [:]
    /// The writer of each value.
    private var writers: [String: String] = [:]

    package init() {}

    /// A person has changed a shown value.
    package mutating func intend(_ value: String, over shown: String, by writer: String) {
        intentions[value, default: []].append(Intention(writer: writer, shown: shown))
        if writers[value] == nil { writers[value] = writer }
    }

    /// The service has a new value.
    package mutating func wrote(_ value: String, by writer: String) { writers[value] = writer }

    /// Whether a client that put a value has seen the one before, or put it over other values of
    /// its own that had.
    package func mayPut(_ value: String, over before: String, by client: String) -> Bool {
        var values = [value]
        var known: Set = [value]
        while let value = values.popLast() {
            for intention in intentions[value] ?? [] where intention.writer == client {
                if intention.shown == before || writers[before] == client { return true }
                if writers[intention.shown] == client, known.insert(intention.shown).inserted {
                    values.append(intention.shown)
                }
            }
        }
        return false
    }
}
