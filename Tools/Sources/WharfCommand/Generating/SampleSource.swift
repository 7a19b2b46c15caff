import ArgumentParser
import Wharf

/// The source of a JSON document.
enum SampleSource: Sendable, Equatable {
    case standardInput
    case file(String)
    case url(String)

    /// - Parameter argument: the argument as in the command line.
    init(_ argument: String) {
        let lower = argument.lowercased()
        if argument == "-" {
            self = .standardInput
        } else if lower.hasPrefix("http://") || lower.hasPrefix("https://") {
            self = .url(argument)
        } else {
            self = .file(argument)
        }
    }

    /// Returns the sources in the arguments, or standard input if there are none.
    static func all(_ arguments: [String]) throws(UsageError) -> [SampleSource] {
        let sources = arguments.isEmpty ? [.standardInput] : arguments.map(SampleSource.init)
        guard sources.count(where: { $0 == .standardInput }) < 2 else {
            throw UsageError("expected - once, found it several times; standard input can be read once")
        }
        return sources
    }

    /// The name in messages.
    var name: String {
        switch self {
        case .standardInput: "standard input"
        case .file(let path): path
        case .url(let url): Target.shown(url)
        }
    }
}

/// The reason that a document could not be read.
struct SampleFailure: Error {
    let message: String
    let status: ProcessStatus
}

/// Reads documents. Those of the network go through Wharf's cache.
struct SampleReader {
    let surroundings: Surroundings
    let connect: Connect
    /// The cache file; nil for the default one.
    let cacheFile: String?

    func read(_ source: SampleSource) async throws(SampleFailure) -> [UInt8] {
        switch source {
        case .standardInput:
            do { return try surroundings.readInput() } catch {
                throw SampleFailure(message: "\(error)", status: .inputNotRead)
            }
        case .file(let path):
            do throws(OutputFailure) { return try Descriptor.contents(of: path) } catch {
                throw SampleFailure(message: error.message, status: .inputNotRead)
            }
        case .url(let url): return try await fetch(url)
        }
    }

    private func fetch(_ url: String) async throws(SampleFailure) -> [UInt8] {
        let plan: GetPlan
        do {
            // The current answer of the service is wanted. A cached one replaces it if the service
            // can't be reached.
            let options = ["--policy", ReadPolicy.networkFirst.name] + (cacheFile.map { ["--cache", $0] } ?? [])
            plan = try GetCommand.parse(options + ["--", url]).plan { _ in [] }
        } catch {
            throw SampleFailure(message: GetCommand.message(for: error), status: .usage)
        }
        let report = surroundings.writeError
        do throws(ReadFailure) {
            let connection = try await connect(plan, surroundings.clock) { incident in
                guard incident.code != .notKept else { return }
                report(Plain.line("wharf: \(incident.message)") + "\n")
            }
            let bytes: Result<[UInt8], ReadFailure>
            do throws(ReadFailure) {
                bytes = .success(try await body(url, plan, connection))
            } catch {
                bytes = .failure(error)
            }
            await connection.close()
            return try bytes.get()
        } catch {
            throw SampleFailure(
                message: error.message, status: error.code == .cancelled ? .cancelled : .inputNotRead)
        }
    }

    private func body(_ url: String, _ plan: GetPlan, _ connection: Connection) async throws(ReadFailure) -> [UInt8] {
        let answer = try await connection.exchange(plan.request, plan.policy)
        guard !answer.isError else {
            throw ReadFailure(
                .connectionFailed, message: "\(Target.shown(url)) answered \(Plain.status(answer.head.status))")
        }
        // Reports that the answer is stale, as any read does.
        if let failure = answer.provenance.failure {
            let age = Plain.duration(max(.zero, surroundings.clock.now() - answer.provenance.asOf))
            surroundings.writeError(
                Plain.line("wharf: \(Target.shown(url)) is the cached answer, \(age) old: \(failure.message)") + "\n")
        }
        do throws(TransportError) { return try await answer.body.collect(upTo: GetPlan.collectedLimit) } catch {
            throw ReadFailure(error)
        }
    }
}
