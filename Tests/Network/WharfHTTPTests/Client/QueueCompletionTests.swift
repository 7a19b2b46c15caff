import Dispatch
import Testing
import WharfCore
import WharfFakes
import WharfHTTP

/// Completions for callers that use a dispatch queue.
struct QueueCompletionTests {
    private static let answer = StubAnswer.ok("[1, 2]")

    @Test func theCompletionRunsOnTheQueue() async throws {
        let transport = StubTransport([Self.answer])
        let client = APIClient(environment: try APIEnvironment("https://api.example.com"), transport: transport)
        let queue = DispatchQueue(label: "caller")
        let snapshot = await withCheckedContinuation { continuation in
            client.snapshot(
                Request<[Int]>.get("numbers"),
                completion: queue.completion { snapshot in
                    dispatchPrecondition(condition: .onQueue(queue))
                    continuation.resume(returning: snapshot)
                })
        }
        #expect(snapshot.value == [1, 2])
    }

    @Test func cancellingCallsBackOnTheQueueToo() async throws {
        let gate = Gate()
        let transport = StubTransport([Self.answer.held(by: gate)])
        let client = APIClient(environment: try APIEnvironment("https://api.example.com"), transport: transport)
        let queue = DispatchQueue(label: "caller")
        let snapshot = await withCheckedContinuation { continuation in
            let cancellation = client.snapshot(
                Request<[Int]>.get("numbers"),
                completion: queue.completion { snapshot in
                    dispatchPrecondition(condition: .onQueue(queue))
                    continuation.resume(returning: snapshot)
                })
            Task {
                await gate.arrivals()
                cancellation.cancel()
            }
        }
        #expect(snapshot.error?.code == .cancelled)
    }
}
