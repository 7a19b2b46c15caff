import ArgumentParser
import Wharf
import WharfSQLite

struct OutboxRetryCommand: OutboxAction {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Retry dead letters at their old positions.",
        usage: "wharf outbox retry (<id>... | --all) --db <file> [options]",
        discussion: OutboxHelp.retry
    )

    @OptionGroup var chosen: ChosenEntries
    @OptionGroup var file: OutboxFileOptions
    @OptionGroup var only: DeliveryFilterOptions

    var access: SQLiteDataFile.Access { .writing }

    func run(on outbox: OpenOutbox) async throws -> ProcessStatus {
        try await ChoiceRun(
            outbox: outbox, choice: .retry, ids: chosen.ids, filter: only.filter, isSure: true, isJSON: file.json
        ).run()
    }
}

struct OutboxDiscardCommand: OutboxAction {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract:
            "Discard waiting deliveries and dead letters. They are not sent any more; attempted ones may have arrived.",
        usage: "wharf outbox discard (<id>... | --all) --db <file> [options]",
        discussion: OutboxHelp.discard
    )

    @OptionGroup var chosen: ChosenEntries
    @OptionGroup var file: OutboxFileOptions
    @OptionGroup var only: DeliveryFilterOptions

    @Flag(name: [.customShort("y"), .long], help: "Don't ask.")
    var yes = false

    var access: SQLiteDataFile.Access { .writing }

    func run(on outbox: OpenOutbox) async throws -> ProcessStatus {
        try await ChoiceRun(
            outbox: outbox, choice: .discard, ids: chosen.ids, filter: only.filter, isSure: yes, isJSON: file.json
        ).run()
    }
}

/// The chosen entries: by their ids, or all dead letters.
struct ChosenEntries: ParsableArguments {
    @Argument(help: ArgumentHelp("Ids of entries, as ls prints them.", valueName: "id"))
    var named: [String] = []

    @Flag(help: "All dead letters that match the filters.")
    var all = false

    func validate() throws {
        guard named.isEmpty == all else {
            throw ValidationError(
                all
                    ? "expected ids or --all, found both; --destination, --kind and --account narrow --all"
                    : "expected the id of an entry, found none; see wharf outbox ls, or give --all")
        }
    }

    /// The ids; nil for all.
    var ids: [OutboxEntry.ID]? {
        var seen: Set<String> = []
        return all ? nil : named.filter { seen.insert($0).inserted }.map { OutboxEntry.ID($0) }
    }
}
