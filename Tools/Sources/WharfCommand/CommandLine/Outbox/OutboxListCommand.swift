import ArgumentParser
import Wharf
import WharfSQLite

struct OutboxListCommand: OutboxAction {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "List waiting deliveries and dead letters, one per line.",
        usage: "wharf outbox ls --db <file> [options]",
        discussion: OutboxHelp.list
    )

    @OptionGroup var file: OutboxFileOptions
    @OptionGroup var only: DeliveryFilterOptions

    @Option(
        name: .customLong("state"),
        help: ArgumentHelp(
            "Only deliveries in this state; may be repeated: \(DeliveryState.names).", valueName: "state"))
    var states: [String] = []

    @Option(help: ArgumentHelp("List at most this number of entries.", valueName: "number"))
    var limit: Int?

    @Option(help: ArgumentHelp("List only the entries after this one.", valueName: "id"))
    var after: String?

    @Flag(name: .customLong("no-pager"), help: "Don't start a pager on a terminal.")
    var isWithoutPager = false

    var access: SQLiteDataFile.Access { .reading }

    func validate() throws {
        for state in states where DeliveryState(rawValue: state) == nil {
            throw ValidationError("--state: expected one of \(DeliveryState.names), found '\(state)'")
        }
        if let limit, limit < 1 {
            throw ValidationError("--limit: expected a number of entries above 0, found '\(limit)'; try --limit 100")
        }
    }

    func run(on outbox: OpenOutbox) async throws -> ProcessStatus {
        let states = states.isEmpty ? Set(DeliveryState.allCases) : Set(states.compactMap(DeliveryState.init))
        return try await ListRun(
            outbox: outbox, filter: only.filter, states: states, after: after.map { OutboxEntry.ID($0) },
            limit: limit, isWithoutPager: isWithoutPager, isJSON: file.json
        ).run()
    }
}

struct OutboxShowCommand: OutboxAction {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one entry: its bytes, its destinations, and why it is not delivered.",
        usage: "wharf outbox show <id> --db <file> [options]",
        discussion: OutboxHelp.show
    )

    @Argument(help: ArgumentHelp("The id of an entry, as ls prints it.", valueName: "id"))
    var id: String

    @OptionGroup var file: OutboxFileOptions

    @Flag(help: "Show secrets too: the values of all fields and of the query.")
    var secrets = false

    var access: SQLiteDataFile.Access { .reading }

    func run(on outbox: OpenOutbox) async throws -> ProcessStatus {
        try await ShowRun(outbox: outbox, id: OutboxEntry.ID(id), reveals: secrets, isJSON: file.json).run()
    }
}
