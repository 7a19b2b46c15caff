internal import WharfChecks
internal import WharfCore
internal import WharfFakes

/// The table of ``ReadPolicy``, as one law per policy.
///
/// Each law is checked against every combination of kept value and answer.
enum RepositoryPolicyLaws {
    typealias Subject = RepositoryLaws.Subject

    enum Kept: CaseIterable {
        case fresh, stale, nothing
    }

    enum Outcome: CaseIterable {
        case value, unreachable, serverFailure, undecodable, notFound

        var network: ScriptedSource<RepositoryLaws.Model>.Network {
            switch self {
            case .value: .models([RepositoryLaws.new])
            case .unreachable: .failure(RepositoryLaws.unreachable)
            case .serverFailure: .failure(Self.status(503))
            case .undecodable: .failure(ReadFailure(.undecodable, message: "scripted: not the payload"))
            case .notFound: .failure(Self.status(404))
            }
        }

        var code: ReadFailure.Code? {
            switch self {
            case .value: nil
            case .unreachable: .connectionFailed
            case .undecodable: .undecodable
            case .serverFailure, .notFound: .status
            }
        }

        private static func status(_ code: Int) -> ReadFailure {
            ReadFailure(.status, message: "scripted: \(code)", response: HTTPResponse(status: .init(code: code)))
        }
    }

    enum Endpoint: CaseIterable {
        case one, list
    }

    /// The expected row of the table: value, error and number of requests.
    struct Expected: Equatable {
        var value: String?
        var error: ReadFailure.Code?
        var requests: Int
    }

    static let all: [Law<Subject>] = ReadPolicy.all.map { policy in
        Law("\(policy.name) does what the table says, whatever is kept and whatever the network answers") { subject in
            for kept in Kept.allCases {
                for outcome in Outcome.allCases {
                    for endpoint in Endpoint.allCases { try await check(subject, policy, kept, outcome, endpoint) }
                }
            }
        }
    }

    private static func check(
        _ subject: Subject, _ policy: ReadPolicy, _ kept: Kept, _ outcome: Outcome, _ endpoint: Endpoint
    ) async throws {
        let stage = RepositoryLaws.Stage(subject, .models([RepositoryLaws.old]))
        let now = stage.clock.wall.now()
        if kept != .nothing {
            let staleAt = kept == .fresh ? now + .seconds(60) : now - .seconds(60)
            stage.source.keep([RepositoryLaws.old], asOf: now - .seconds(120), staleAt: staleAt)
            // The repository has read the value once, as when it was stored.
            _ = await stage.read(endpoint, .cacheOnly)
        }
        stage.source.answer(outcome.network)
        let answer = await stage.read(endpoint, policy)
        let found = Expected(value: answer.value?.name, error: answer.error?.code, requests: stage.source.requests)
        let expected = expectation(policy, kept, outcome)
        try require(
            found == expected, "\(endpoint), kept \(kept), network \(outcome): expected \(expected), found \(found)"
        )
    }

    static func expectation(_ policy: ReadPolicy, _ kept: Kept, _ outcome: Outcome) -> Expected {
        let local = Expected(value: "old", error: nil, requests: 0)
        switch policy {
        case .cacheOnly:
            return kept == .nothing ? Expected(value: nil, error: .nothingKept, requests: 0) : local
        case .cacheFirst where kept != .nothing, .standard where kept == .fresh:
            return local
        default:
            if outcome == .value { return Expected(value: "new", error: nil, requests: 1) }
            // A 404 is an answer: the model is gone, so no kept value may stand in.
            let keeps = kept != .nothing && policy != .networkOnly && outcome != .notFound
            return Expected(value: keeps ? "old" : nil, error: outcome.code, requests: 1)
        }
    }
}

extension RepositoryLaws.Stage {
    /// Reads a model, or a list with one member as that member.
    fileprivate func read(
        _ endpoint: RepositoryPolicyLaws.Endpoint, _ policy: ReadPolicy
    ) async -> Snapshot<RepositoryLaws.Model> {
        switch endpoint {
        case .one: return await repository.snapshot(id: 1, policy: policy)
        case .list:
            let list = await repository.listSnapshot(policy: policy)
            return Snapshot(
                kept: list.kept.flatMap { kept in kept.value.first.map { kept.with($0) } }, error: list.error)
        }
    }
}
