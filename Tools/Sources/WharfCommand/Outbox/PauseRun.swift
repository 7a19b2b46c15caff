import Wharf
import WharfSQLite
import WharfStorage

/// One `wharf outbox pause` or `resume`.
struct PauseRun {
    enum Choice {
        case pause(because: String?)
        case resume
    }

    let outbox: OpenOutbox
    let choice: Choice
    /// The selection; a nil destination selects all.
    let filter: DeliveryFilter
    let isJSON: Bool

    func run() async throws -> ProcessStatus {
        let places = try await places()
        guard !places.isEmpty else { return try await nothing() }
        var commit = Commit()
        switch choice {
        case .pause(let reason):
            let pause = OutboxPause(since: outbox.surroundings.clock.now(), reason: reason)
            for place in places { commit.paused[place] = pause }
        case .resume: commit.resumed = Set(places)
        }
        try await outbox.store.commit(commit)
        let pauses = try await outbox.pauses(filter)
        for place in places {
            if isJSON {
                try outbox.write(json(place, pauses.first { $0.place == place }?.pause).line)
            } else {
                try outbox.write(line: Plain.shown("\(done) \(place.named)"))
            }
        }
        return .delivered
    }

    private var done: String {
        switch choice {
        case .pause: "paused"
        case .resume: "resumed"
        }
    }

    private func json(_ place: PausedDestination, _ pause: OutboxPause?) -> JSONObject {
        var object = JSONObject()
        object.add("account", place.account?.name)
        object.add("destination", place.destination)
        object.add("done", done)
        pause?.add(to: &object)
        return object
    }

    /// Returns the destinations that the options select.
    private func places() async throws(StoreError) -> [PausedDestination] {
        switch choice {
        case .pause: try await outbox.destinations(filter)
        case .resume: try await outbox.pauses(filter).map(\.place)
        }
    }

    private func nothing() async throws -> ProcessStatus {
        guard let name = filter.destination else {
            switch choice {
            case .pause: outbox.say("\(outbox.path) has no destinations that match the options")
            case .resume: outbox.say("nothing is paused in \(outbox.path) that matches the options")
            }
            return .delivered
        }
        var all = filter
        all.destination = nil
        switch choice {
        case .pause:
            let known = Set(try await outbox.destinations(all).map(\.destination)).sorted()
            outbox.say(
                "expected a destination of \(outbox.path), found '\(name)'; \(list(known, "it has no destinations"))")
        case .resume:
            let known = Set(try await outbox.pauses(all).map(\.place.destination)).sorted()
            outbox.say(
                "expected a paused destination of \(outbox.path), found '\(name)'; \(list(known, "nothing is paused"))")
        }
        return .notDone
    }

    private func list(_ known: [String], _ none: String) -> String {
        known.isEmpty ? none : "try \(known.joined(separator: ", "))"
    }
}
