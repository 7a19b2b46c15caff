import Testing
import WharfCore
import WharfFakes
import WharfHTTP

/// The completion-handler API: called exactly once on every path, with value, response and error
/// together.
struct CompletionTests {
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: StubAnswer
        let value: User?
        let error: ReadFailure.Code?
    }

    static let brokenBody: StubAnswer = {
        var answer = StubAnswer.ann
        answer.failure = TransportError(.connectionLost, message: "the connection broke")
        return answer
    }()

    static let ways = [
        Way(testDescription: "success", answer: .ann, value: .ann, error: nil),
        Way(testDescription: "status", answer: .respond(.notFound, "{}"), value: nil, error: .status),
        Way(
            testDescription: "status with a decodable body",
            answer: .respond(.notFound, #"{"id": 1, "name": "Ann"}"#), value: nil, error: .status
        ),
        Way(testDescription: "no data", answer: .respond(.noContent), value: nil, error: .noData),
        Way(testDescription: "undecodable", answer: .ok("<html>"), value: nil, error: .undecodable),
        Way(testDescription: "transport failure", answer: .failure(.offline), value: nil, error: .offline),
        Way(testDescription: "broken body", answer: brokenBody, value: nil, error: .connectionLost),
    ]

    @Test(arguments: ways)
    func callsBackExactlyOnce(_ way: Way) async throws {
        let client = try APIClient.testing(StubTransport([way.answer]))
        let calls = Calls<Snapshot<User>>()
        client.snapshot(.get("users/1")) { calls.add($0) }
        let snapshot = try #require(await calls.first())
        #expect(snapshot.value == way.value)
        #expect(snapshot.error?.code == way.error)
        if way.error != .offline { #expect((snapshot.kept?.response ?? snapshot.error?.response) != nil) }
        #expect(await calls.countWhenQuiet() == 1)
    }

    @Test func callsBackOnceWhenCancelledBeforeTheAnswer() async throws {
        let gate = Gate()
        let client = try APIClient.testing(StubTransport([.ann.held(by: gate)]))
        let calls = Calls<Snapshot<User>>()
        let cancellation = client.snapshot(.get("users/1")) { calls.add($0) }
        await gate.arrivals()
        cancellation.cancel()
        cancellation.cancel()
        #expect(await calls.first()?.error?.code == .cancelled)
        gate.open()
        #expect(await calls.countWhenQuiet() == 1)
    }

    @Test func callsBackOnceWhenCancelledAtOnceOrAfterTheAnswer() async throws {
        let client = try APIClient.testing(StubTransport { _ in .ann })
        let early = Calls<Snapshot<User>>()
        client.snapshot(.get("users/1")) { early.add($0) }.cancel()
        _ = await early.first()
        #expect(await early.countWhenQuiet() == 1)

        let late = Calls<Snapshot<User>>()
        let cancellation = client.snapshot(.get("users/1")) { late.add($0) }
        #expect(await late.first()?.value == .ann)
        cancellation.cancel()
        #expect(await late.countWhenQuiet() == 1)
    }

    @Test func lettingGoOfTheCancellationDoesNotCancel() async throws {
        let gate = Gate()
        let client = try APIClient.testing(StubTransport([.ann.held(by: gate)]))
        let calls = Calls<Snapshot<User>>()
        client.snapshot(.get("users/1")) { calls.add($0) }
        await gate.arrivals()
        gate.open()
        #expect(await calls.first()?.value == .ann)
    }

    @MainActor @Test func callsBackOnTheActorOfTheClosure() async throws {
        let client = try APIClient.testing(StubTransport([.ann]))
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            client.snapshot(Request<User>.get("users/1")) { @MainActor _ in
                MainActor.assertIsolated()
                continuation.resume()
            }
        }
    }
}
