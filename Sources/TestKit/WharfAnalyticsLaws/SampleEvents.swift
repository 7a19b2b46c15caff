internal import WharfAnalytics
internal import WharfChecks
internal import WharfCore
internal import WharfJSON
internal import WharfRandom

/// The events that laws send and process.
enum SampleEvents {
    /// Returns a different event for each number, of each kind in turn.
    ///
    /// Its id is a UUID, as vendors require.
    static func event(_ number: Int, text: String = "Lunch at \"noon\", 10 €") -> TrackedEvent {
        var random = SeededGenerator(seed: UInt64(number) + 1)
        let time = WallTime(secondsSince1970: 1_700_000_000 + Int64(number))
        let kinds: [TrackedEvent.Kind] = [
            .track, .screen, .identify(linking: "anonymous-1"), .alias(previous: "user-0"),
            .group(type: "company", id: "acme"),
        ]
        let kind = kinds[number % kinds.count]
        let name: String =
            switch kind {
            case .track: "Note Added"
            case .screen: "Notes"
            case .identify, .alias, .group: kind.name
            }
        var event = TrackedEvent(
            id: OutboxEntry.ID(at: time, using: &random).text, kind: kind, name: name, time: time,
            properties: ["number": JSONValue(.number(JSONNumber(number))), "text": JSONValue(.string(text))])
        event.context = ["locale": "fi-FI"]
        event.anonymousID = "anonymous-1"
        event.user = number % 2 == 0 ? "user-1" : nil
        event.groups = number % 3 == 0 ? ["company": "acme"] : [:]
        event.session = "session-\(number / 4)"
        if case .identify = kind { event.traitsOnce = ["plan": "free"] }
        return event
    }

    /// The events of some numbers, each with a key of its own.
    static func batch(_ numbers: Range<Int>) -> [KeyedEvent] {
        numbers.map { KeyedEvent(event($0), key: IdempotencyKey("key-\($0)")) }
    }

    static let all: Generator<TrackedEvent> = Generator.zip(.int(in: 0...999), .string()).map { event($0, text: $1) }
}
