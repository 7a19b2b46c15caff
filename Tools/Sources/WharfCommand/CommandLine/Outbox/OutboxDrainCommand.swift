import ArgumentParser
import Wharf
import WharfSQLite

struct OutboxDrainCommand: OutboxAction {
    static let configuration = CommandConfiguration(
        commandName: "drain",
        abstract: "Deliver the due entries that do not need the app.",
        usage: "wharf outbox drain --db <file> [options]",
        discussion: OutboxHelp.drain
    )

    @OptionGroup var file: OutboxFileOptions

    @Option(help: ArgumentHelp("Only deliveries to this destination.", valueName: "name"))
    var destination: String?

    @Option(help: ArgumentHelp("Only entries of this account.", valueName: "name"))
    var account: String?

    @Option(help: ArgumentHelp("Stop after this time; requests in flight are sent again later.", valueName: "seconds"))
    var within: String?

    @Flag(help: "Make refused deliveries dead letters. Without it, they wait for the app to judge.")
    var setAside = false

    var access: SQLiteDataFile.Access { .writing }

    func validate() throws {
        do throws(UsageError) {
            _ = try limit()
        } catch {
            throw ValidationError(error.message)
        }
    }

    func run(on outbox: OpenOutbox) async throws -> ProcessStatus {
        let filter = DeliveryFilter(
            destination: destination, kind: OutboxRequest.kind.name, account: account.map { Account($0) })
        return try await DrainRun(
            outbox: outbox, filter: filter, limit: try limit(), setsAside: setAside, isJSON: file.json
        ).run()
    }

    private func limit() throws(UsageError) -> Duration? {
        guard let within else { return nil }
        guard let seconds = Double(within), seconds > 0, seconds <= 1e9 else {
            throw UsageError("--within: expected a number of seconds above 0, found '\(within)'; try --within 30")
        }
        return .seconds(seconds)
    }
}
