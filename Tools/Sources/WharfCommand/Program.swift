import ArgumentParser
import Wharf

/// The whole command, from its arguments to its exit status.
public struct Program: Sendable {
    let surroundings: Surroundings
    private let connect: Connect

    /// Creates a program on the real network and the cache of the command line.
    public init(_ surroundings: Surroundings) {
        self.init(surroundings, connect: Connection.live)
    }

    /// - Parameter connect: opens the connection of a read.
    init(_ surroundings: Surroundings, connect: @escaping Connect) {
        self.surroundings = surroundings
        self.connect = connect
    }

    /// Runs the command and returns its exit status.
    ///
    /// - Parameter arguments: the arguments without the name of the program.
    public func run(_ arguments: [String]) async -> ProcessStatus {
        do {
            var command = try RootCommand.parseAsRoot(arguments)
            if let get = command as? GetCommand { return await run(get) }
            if let serve = command as? ServeCommand { return await run(serve) }
            if let generate = command as? GenerateCommand { return await run(generate) }
            if let check = command as? CheckCommand { return await run(check) }
            if let manual = command as? ManualCommand { return write(try manual.page(surroundings).text) }
            if let cache = command as? any CacheAction { return await run(cache) }
            if let outbox = command as? any OutboxAction { return await run(outbox) }
            if let graphQL = command as? any GraphQLAction {
                return GraphQLRun(
                    sources: graphQL.documents.sources, output: graphQL.output, surroundings: surroundings
                ).run()
            }
            if command is RootCommand {
                surroundings.writeError(
                    "Error: expected a subcommand, found none; try wharf get https://example.com/\n")
                surroundings.writeError("  See 'wharf --help' for more information.\n")
                return .usage
            }
            if command is CacheCommand {
                surroundings.writeError("Error: expected a subcommand of cache, found none; try wharf cache ls\n")
                surroundings.writeError("  See 'wharf cache --help' for more information.\n")
                return .usage
            }
            if command is OutboxCommand {
                surroundings.writeError(
                    "Error: expected a subcommand of outbox, found none; try wharf outbox ls --db data.sqlite\n")
                surroundings.writeError("  See 'wharf outbox --help' for more information.\n")
                return .usage
            }
            if command is GraphQLCommand {
                surroundings.writeError(
                    "Error: expected a subcommand of graphql, found none; try wharf graphql check film.graphql\n")
                surroundings.writeError("  See 'wharf graphql --help' for more information.\n")
                return .usage
            }
            try command.run()
            return .delivered
        } catch {
            let message = RootCommand.fullMessage(for: error, columns: surroundings.columns)
            guard RootCommand.exitCode(for: error).isSuccess else {
                surroundings.writeError(message + "\n")
                return .usage
            }
            return write(message + "\n")
        }
    }

    private func run(_ command: GetCommand) async -> ProcessStatus {
        let plan: GetPlan
        do {
            plan = try command.plan { body throws(UsageError) in try body.read(surroundings.readInput) }
        } catch {
            let message = GetCommand.fullMessage(for: ValidationError(error.message), columns: surroundings.columns)
            surroundings.writeError(message + "\n")
            return .usage
        }
        let sink: Sink
        do {
            sink = try Sink(plan.file, in: surroundings)
        } catch {
            surroundings.writeError("wharf: \(error.message)\n")
            return .outputFailed
        }
        do throws(ReadFailure) {
            let report = surroundings.writeError
            let connection = try await connect(plan, surroundings.clock) { incident in
                // A body too large for the cache is not the user's concern.
                guard incident.code != .notKept else { return }
                report(Plain.line("wharf: \(incident.message)") + "\n")
            }
            let status = await GetRun(plan, sink, connection.exchange, surroundings).run()
            await connection.close()
            return status
        } catch {
            sink.abandon()
            surroundings.writeError(Plain.line("wharf: \(error.message)") + "\n")
            return error.code == .invalidRequest ? .usage : .internalError
        }
    }

    private func run(_ command: ServeCommand) async -> ProcessStatus {
        do throws(UsageError) {
            switch try command.plan() {
            case .gateway(let plan): return await GatewayRun(plan: plan, surroundings: surroundings).run()
            case .bareNetwork(let plan):
                let network = Network(clock: surroundings.clock)
                let status = await FaultyRun(plan: plan, transport: network, surroundings: surroundings).run()
                await network.close()
                return status
            }
        } catch {
            surroundings.writeError(Plain.line("wharf: \(error.message)") + "\n")
            return .usage
        }
    }

    private func run(_ command: GenerateCommand) async -> ProcessStatus {
        do throws(UsageError) {
            let plan = try command.plan()
            let reader = SampleReader(surroundings: surroundings, connect: connect, cacheFile: plan.cacheFile)
            return await GenerateRun(plan: plan, reader: reader, surroundings: surroundings).run()
        } catch {
            surroundings.writeError(Plain.line("wharf: \(error.message)") + "\n")
            return .usage
        }
    }

    private func run(_ command: CheckCommand) async -> ProcessStatus {
        do throws(UsageError) {
            let plan = try command.plan()
            let reader = SampleReader(surroundings: surroundings, connect: connect, cacheFile: plan.cacheFile)
            return await CheckRun(plan: plan, reader: reader, surroundings: surroundings).run()
        } catch {
            surroundings.writeError(Plain.line("wharf: \(error.message)") + "\n")
            return .usage
        }
    }

    private func write(_ text: String) -> ProcessStatus {
        do {
            try surroundings.writeOutput(Array(text.utf8))
            return .delivered
        } catch {
            if let failure = error as? OutputFailure, failure.isReaderGone { return .delivered }
            surroundings.writeError("wharf: \(error)\n")
            return .outputFailed
        }
    }
}
