import Testing
import WharfCore
import WharfFakes
import WharfHTTP

struct ObserveTests {
    private let request = Request<User>.get("users/1")

    /// Holds the network's answer at a gate, so that the reader sees the snapshot before it.
    private func cache(_ gate: Gate, kept: StubAnswer, network: StubAnswer) -> any Transport {
        let script = StubTransport { request in request.cache == .storedOnly ? kept : network.held(by: gate) }
        return Marked(script) { request, provenance in
            if request.cache == .storedOnly { provenance.source = .httpCache }
        }
    }

    @Test func observeYieldsKeptValueThenNetworkValueThenEnds() async throws {
        let gate = Gate()
        var snapshots = try APIClient.testing(cache(gate, kept: .ann, network: .bob)).observe(request)
            .makeAsyncIterator()
        let first = await snapshots.next(isolation: #isolation)
        #expect(first?.value == .ann)
        #expect(first?.fetch == .refreshing)
        #expect(first?.error == nil)
        gate.open()
        let second = await snapshots.next(isolation: #isolation)
        #expect(second?.value == .bob)
        #expect(second?.fetch == .idle)
        #expect(await snapshots.next(isolation: #isolation) == nil)
    }

    @Test func observeWithoutKeptValueYieldsOneSnapshot() async throws {
        let gate = Gate()
        gate.open()
        let client = try APIClient.testing(cache(gate, kept: .failure(.nothingKept), network: .failure(.offline)))
        let codes = await client.observe(request).reduce(into: []) { $0.append($1.error?.code) }
        #expect(codes == [.offline])
    }

    @Test(arguments: [("{}", ReadFailure.Code.undecodable), ("", .noData)])
    func aBadRefreshLeavesTheKeptValue(_ row: (body: String, code: ReadFailure.Code)) async throws {
        let gate = Gate()
        let client = try APIClient.testing(cache(gate, kept: .ann, network: .ok(row.body)))
        var snapshots = client.observe(request).makeAsyncIterator()
        #expect(await snapshots.next(isolation: #isolation)?.value == .ann)
        gate.open()
        let second = await snapshots.next(isolation: #isolation)
        #expect(second?.value == .ann)
        #expect(second?.error?.code == row.code)
        #expect(second?.fetch == .idle)
    }

    @Test(arguments: [HTTPResponse.Status.unauthorized, .notFound, .gone])
    func errorStatusReplacesTheKeptValue(_ status: HTTPResponse.Status) async throws {
        let gate = Gate()
        let client = try APIClient.testing(cache(gate, kept: .ann, network: .respond(status)))
        var snapshots = client.observe(request).makeAsyncIterator()
        #expect(await snapshots.next(isolation: #isolation)?.value == .ann)
        gate.open()
        let second = await snapshots.next(isolation: #isolation)
        #expect(second?.kept == nil)
        #expect(second?.error?.response?.status == status)
    }

    @Test func cancellingTheObserverCancelsTheRequest() async throws {
        let ended = Gate()
        let arrived = Gate()
        let transport = Hanging(arrived: arrived, ended: ended)
        let client = try APIClient.testing(transport)
        let reader = Task { [request] in
            for await _ in client.observe(request) {}
        }
        await arrived.arrivals()
        reader.cancel()
        await ended.arrivals()
    }

    @Test func droppingTheIteratorCancelsTheRequest() async throws {
        let ended = Gate()
        let arrived = Gate()
        let client = try APIClient.testing(Hanging(arrived: arrived, ended: ended))
        var snapshots: SnapshotSequence<User>.AsyncIterator? = client.observe(request).makeAsyncIterator()
        await arrived.arrivals()
        _ = snapshots
        snapshots = nil
        await ended.arrivals()
    }
}

/// Never answers. It reports the request, and the cancellation of its task.
private struct Hanging: Transport {
    let arrived: Gate
    let ended: Gate

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard request.cache != .storedOnly else { throw TransportError(.nothingKept, message: "nothing") }
        // A closed gate holds until the task is cancelled.
        await arrived.pass()
        await ended.pass()
        throw TransportError(.cancelled, message: "cancelled")
    }
}
