import Testing
import WharfCore
import WharfFakes
import WharfHTTP

/// The behaviour of a plain request for each policy, over a transport that answers each cache mode
/// as a cache would.
@Suite struct APIClientPolicyTests {
    /// The content of the cache below, and the state of the network.
    enum Below: Sendable, CaseIterable {
        case keptAndNetwork, keptAndNoNetwork, nothingAndNetwork, nothingAndNoNetwork
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let policy: ReadPolicy
        let below: Below
        let modes: [CacheMode]
        let value: User?
        let error: ReadFailure.Code?

        var testDescription: String { "\(policy.name), \(below)" }

        init(_ policy: ReadPolicy, _ below: Below, _ modes: [CacheMode], _ value: User?, _ error: ReadFailure.Code?) {
            self.policy = policy
            self.below = below
            self.modes = modes
            self.value = value
            self.error = error
        }
    }

    /// Ann is the stored, stale value. Bob is the network's value.
    static let table: [Row] = [
        Row(.standard, .keptAndNetwork, [.normal], .bob, nil),
        Row(.standard, .keptAndNoNetwork, [.normal], .ann, .offline),
        Row(.standard, .nothingAndNetwork, [.normal], .bob, nil),
        Row(.standard, .nothingAndNoNetwork, [.normal], nil, .offline),
        Row(.cacheFirst, .keptAndNetwork, [.storedOnly], .ann, nil),
        Row(.cacheFirst, .keptAndNoNetwork, [.storedOnly], .ann, nil),
        Row(.cacheFirst, .nothingAndNetwork, [.storedOnly, .normal], .bob, nil),
        Row(.cacheFirst, .nothingAndNoNetwork, [.storedOnly, .normal], nil, .offline),
        Row(.cacheThenNetwork, .keptAndNetwork, [.reload], .bob, nil),
        Row(.cacheThenNetwork, .keptAndNoNetwork, [.reload], .ann, .offline),
        Row(.cacheThenNetwork, .nothingAndNetwork, [.reload], .bob, nil),
        Row(.cacheThenNetwork, .nothingAndNoNetwork, [.reload], nil, .offline),
        Row(.networkFirst, .keptAndNetwork, [.reload], .bob, nil),
        Row(.networkFirst, .keptAndNoNetwork, [.reload], .ann, .offline),
        Row(.networkFirst, .nothingAndNetwork, [.reload], .bob, nil),
        Row(.networkFirst, .nothingAndNoNetwork, [.reload], nil, .offline),
        Row(.cacheOnly, .keptAndNetwork, [.storedOnly], .ann, nil),
        Row(.cacheOnly, .keptAndNoNetwork, [.storedOnly], .ann, nil),
        Row(.cacheOnly, .nothingAndNetwork, [.storedOnly], nil, .nothingKept),
        Row(.cacheOnly, .nothingAndNoNetwork, [.storedOnly], nil, .nothingKept),
        Row(.networkOnly, .keptAndNetwork, [.bypass], .bob, nil),
        Row(.networkOnly, .keptAndNoNetwork, [.bypass], nil, .offline),
        Row(.networkOnly, .nothingAndNetwork, [.bypass], .bob, nil),
        Row(.networkOnly, .nothingAndNoNetwork, [.bypass], nil, .offline),
    ]

    @Test func theTableIsComplete() {
        #expect(Self.table.count == ReadPolicy.all.count * Below.allCases.count)
    }

    @Test(arguments: table)
    func policyDecidesCacheModesValueAndError(_ row: Row) async throws {
        let (transport, script) = Self.cache(row.below)
        let snapshot = try await APIClient.testing(transport).snapshot(
            Request<User>.get("users/1"), policy: row.policy
        )
        #expect(script.requests.map(\.cache) == row.modes)
        #expect(snapshot.value == row.value)
        #expect(snapshot.error?.code == row.error)
        #expect(snapshot.fetch == .idle)
    }

    @Test(arguments: table)
    func aStreamedResponseFollowsTheSamePolicies(_ row: Row) async throws {
        let (transport, script) = Self.cache(row.below)
        let client = try APIClient.testing(transport, policy: row.policy)
        do {
            let response = try await client.response(to: Request<User>.get("users/1"))
            #expect(row.value != nil)
            #expect(response.provenance.failure?.code.name == row.error?.name)
        } catch {
            #expect(row.value == nil)
            #expect(error.code == row.error)
        }
        #expect(script.requests.map(\.cache) == row.modes)
    }

    @Test func fetchGivesTheKeptValueWhenTheRefreshFailed() async throws {
        let client = try APIClient.testing(Self.cache(.keptAndNoNetwork).0)
        let one: User = try await client.fetch(.get("users/1")).value
        #expect(one == .ann)
    }

    @Test func snapshotCarriesTheProvenanceOfTheCache() async throws {
        let snapshot = try await APIClient.testing(Self.cache(.keptAndNoNetwork).0).snapshot(
            Request<User>.get("users/1"))
        #expect(snapshot.kept?.source == .httpCache)
        #expect(snapshot.kept?.asOf == WallTime(secondsSince1970: 7))
        #expect(snapshot.kept?.staleAt == WallTime(secondsSince1970: 9))
        #expect(snapshot.kept?.response?.status == .ok)
    }

    @Test func aKeptErrorStatusIsAnAnswer() async throws {
        let script = StubTransport { _ in .respond(.notFound, "gone") }
        let transport = Marked(script) { _, provenance in provenance.source = .httpCache }
        let snapshot = try await APIClient.testing(transport, policy: .cacheFirst).snapshot(
            Request<User>.get("users/1"))
        #expect(snapshot.kept == nil)
        #expect(snapshot.error?.code == .status)
        #expect(snapshot.error?.isAnswer == true)
        #expect(script.requests.count == 1)
    }

    @Test func aKeptAnswerThatDoesNotDecodeReportsThatItWasKept() async throws {
        let transport = Marked(StubTransport([.ok("{}")])) { _, provenance in
            provenance.source = .httpCache
            provenance.failure = TransportError(.offline, message: "no network")
        }
        let snapshot = try await APIClient.testing(transport).snapshot(Request<User>.get("users/1"))
        #expect(snapshot.error?.code == .undecodable)
        #expect(snapshot.error?.message.contains("a stored response") == true)
    }

    static func cache(_ below: Below) -> (any Transport, StubTransport) {
        let isKept = below == .keptAndNetwork || below == .keptAndNoNetwork
        let hasNetwork = below == .keptAndNetwork || below == .nothingAndNetwork
        let script = StubTransport { request in
            switch request.cache {
            case .storedOnly: isKept ? .ann : .failure(.nothingKept)
            case .normal, .reload: hasNetwork ? .bob : isKept ? .ann : .failure(.offline)
            case .bypass: hasNetwork ? .bob : .failure(.offline)
            }
        }
        let marked = Marked(script) { request, provenance in
            guard request.cache == .storedOnly || !hasNetwork else { return }
            provenance = Provenance(
                source: .httpCache, asOf: WallTime(secondsSince1970: 7), staleAt: WallTime(secondsSince1970: 9),
                failure: request.cache == .storedOnly ? nil : TransportError(.offline, message: "no network")
            )
        }
        return (marked, script)
    }
}
