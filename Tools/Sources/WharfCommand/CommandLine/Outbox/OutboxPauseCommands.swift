import ArgumentParser
import Wharf
import WharfSQLite

struct OutboxPauseCommand: OutboxAction {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Stop sending to a destination until it is resumed.",
        usage: "wharf outbox pause (--destination <name> | --all) --db <file> [options]",
        discussion: OutboxHelp.pause
    )

    @OptionGroup var chosen: ChosenDestinations
    @OptionGroup var file: OutboxFileOptions

    @Option(help: ArgumentHelp("The reason for the pause, for others to read.", valueName: "text"))
    var because: String?

    var access: SQLiteDataFile.Access { .writing }

    func run(on outbox: OpenOutbox) async throws -> ProcessStatus {
        let reason = because.flatMap { $0.isEmpty ? nil : $0 }
        return try await PauseRun(
            outbox: outbox, choice: .pause(because: reason), filter: chosen.filter, isJSON: file.json
        ).run()
    }
}

struct OutboxResumeCommand: OutboxAction {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "End the pause of a destination.",
        usage: "wharf outbox resume (--destination <name> | --all) --db <file> [options]",
        discussion: OutboxHelp.resume
    )

    @OptionGroup var chosen: ChosenDestinations
    @OptionGroup var file: OutboxFileOptions

    var access: SQLiteDataFile.Access { .writing }

    func run(on outbox: OpenOutbox) async throws -> ProcessStatus {
        try await PauseRun(outbox: outbox, choice: .resume, filter: chosen.filter, isJSON: file.json).run()
    }
}

/// The chosen destination by its name, or all.
struct ChosenDestinations: ParsableArguments {
    @Option(help: ArgumentHelp("The destination, as ls prints it.", valueName: "name"))
    var destination: String?

    @Flag(help: "All destinations that the file knows.")
    var all = false

    @Option(help: ArgumentHelp("Only destinations of this account; by default of each account.", valueName: "name"))
    var account: String?

    func validate() throws {
        guard (destination == nil) == all else {
            throw ValidationError("expected --destination or --all, found \(all ? "both" : "none")")
        }
    }

    var filter: DeliveryFilter { DeliveryFilter(destination: destination, account: account.map { Account($0) }) }
}
