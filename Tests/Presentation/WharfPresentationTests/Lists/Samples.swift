import WharfCore
import WharfPresentation

struct Appliance: Identifiable, Hashable, HeadedElement {
    let id: Int
    var room = "Kitchen"

    static func sectionHeader(of elements: [Appliance]) -> String? { elements.first?.room }
}

struct Film: Identifiable, Hashable, Sendable {
    let id: Int
    var title = ""
    var year = 1990
    var decade: Int { year / 10 * 10 }
}

let noon = WallTime(secondsSince1970: 1_000_000_000)

extension Snapshot {
    /// A snapshot that was read at noon, and is fresh for a minute.
    static func read(_ value: Value?, error: ReadFailure? = nil, fetch: FetchStatus = .idle) -> Snapshot {
        Snapshot(
            kept: value.map { .init(value: $0, source: .network, asOf: noon, staleAt: noon + .seconds(60)) },
            error: error, fetch: fetch)
    }
}

extension ReadFailure {
    static let gone = ReadFailure(.connectionFailed, message: "the service is gone")
}
