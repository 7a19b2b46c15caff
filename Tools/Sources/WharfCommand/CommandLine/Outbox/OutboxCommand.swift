import ArgumentParser
import Wharf
import WharfJSON
import WharfSQLite

struct OutboxCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Show the entries of a data file that wait to be sent, and retry, discard or deliver them.",
        discussion: OutboxHelp.outbox,
        subcommands: [
            OutboxListCommand.self, OutboxShowCommand.self, OutboxRetryCommand.self, OutboxDiscardCommand.self,
            OutboxDrainCommand.self, OutboxPauseCommand.self, OutboxResumeCommand.self,
        ]
    )
}

/// A subcommand of `wharf outbox`.
protocol OutboxAction: ParsableCommand {
    var file: OutboxFileOptions { get }
    var access: SQLiteDataFile.Access { get }

    /// Runs the subcommand.
    ///
    /// - Throws: ``StoreError``, ``OutputFailure``, ``UsageError``.
    func run(on outbox: OpenOutbox) async throws -> ProcessStatus
}

/// The options of each subcommand of `wharf outbox`.
struct OutboxFileOptions: ParsableArguments {
    @Option(
        name: .customLong("db"),
        help: ArgumentHelp("The data file of an app (data.sqlite). It must exist.", valueName: "file"))
    var path: String?

    @Flag(help: "Print JSON, one object per line.")
    var json = false

    func validate() throws {
        guard let path else {
            throw ValidationError("expected --db, found none; name the app's data file: --db data.sqlite")
        }
        guard !path.isEmpty, !path.hasSuffix("/") else {
            throw ValidationError("--db: expected the name of a file, found '\(path)'")
        }
    }
}

/// The options that select deliveries.
struct DeliveryFilterOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only deliveries to this destination.", valueName: "name"))
    var destination: String?

    @Option(help: ArgumentHelp("Only entries of this kind.", valueName: "name"))
    var kind: String?

    @Option(help: ArgumentHelp("Only entries of this account.", valueName: "name"))
    var account: String?

    var filter: DeliveryFilter {
        DeliveryFilter(destination: destination, kind: kind, account: account.map { Account($0) })
    }
}
