internal import Synchronization
internal import WharfChecks
internal import WharfCore
internal import WharfFakes

extension TransportLaws {
    static let endings: [Law<Subject>] = [
        Law("a connection that closes before a head throws") { subject in
            try await subject.plays(Scene(ending: .withoutHead)) { stage in
                guard case .failure(let error) = await stage.exchange() else {
                    throw FailedRequirement(found: "an answer came from a connection that was closed before a head")
                }
                try require(error.code == .connectionLost, "it threw \(error)")
            }
        },
        Law("cancelling the task that waits for a head closes the connection") { subject in
            try await subject.plays(Scene(ending: .silent)) { stage in
                let task = Task { await stage.exchange() }
                try await stage.arrival()
                task.cancel()
                try cancelled(await task.value)
                try await stage.departure()
            }
        },
        Law("cancelling the task that reads a body closes the connection") { subject in
            try await subject.plays(Scene(ending: .stalled(after: 5))) { stage in
                let response = try await stage.send()
                let task = Task { await collected(response) }
                task.cancel()
                try cancelled(await task.value)
                try await stage.departure()
            }
        },
        Law("a task that is cancelled already gets no answer") { subject in
            try await subject.plays(Scene()) { stage in
                let gate = Gate()
                let task = Task {
                    await gate.pass()
                    return await stage.exchange()
                }
                task.cancel()
                try cancelled(await task.value)
            }
        },
        Law("letting go of a body closes the connection") { subject in
            try await subject.plays(Scene(ending: .stalled(after: 5))) { stage in
                _ = try await stage.send()
                try await stage.departure()
            }
        },
        Law("no head comes after the timeout") { subject in
            let clock = TestClock()
            try await subject.plays(Scene(ending: .silent), clock) { stage in
                let task = Task { await stage.exchange { $0.timeout = .seconds(30) } }
                try await stage.arrival()
                await clock.untilSleeping()
                clock.advance(by: .seconds(30))
                try timedOut(await task.value)
                try await stage.departure()
            }
        },
        Law("no piece of the body comes after the timeout") { subject in
            let clock = TestClock()
            try await subject.plays(Scene(ending: .stalled(after: 5)), clock) { stage in
                let task = Task { await stage.exchange { $0.timeout = .seconds(30) } }
                try await stage.arrival()
                await clock.untilSleeping()
                clock.advance(by: .seconds(30))
                try timedOut(await task.value)
                try await stage.departure()
            }
        },
        Law("an answer within the timeout is whole") { subject in
            let clock = TestClock()
            try await subject.plays(Scene(), clock) { stage in
                let answer = try await succeeds(stage, "an answer in time") { $0.timeout = .seconds(30) }
                try require(answer.body == Scene().body, "it came as \(text(answer.body))")
            }
        },
    ]

    private static func cancelled(
        _ result: Result<(head: HTTPResponse, body: [UInt8]), TransportError>
    ) throws {
        guard case .failure(let error) = result else {
            throw FailedRequirement(found: "a cancelled task got an answer")
        }
        try require(error.code == .cancelled, "it threw \(error)")
    }

    private static func collected(
        _ response: TransportResponse
    ) async -> Result<(head: HTTPResponse, body: [UInt8]), TransportError> {
        do throws(TransportError) {
            return .success((response.head, try await response.body.collect()))
        } catch {
            return .failure(error)
        }
    }

    private static func timedOut(
        _ result: Result<(head: HTTPResponse, body: [UInt8]), TransportError>
    ) throws {
        guard case .failure(let error) = result else {
            throw FailedRequirement(found: "an answer came after the timeout")
        }
        try require(error.code == .timedOut, "it threw \(error)")
    }
}

extension TransportLaws.Subject {
    /// Plays the scene without a time limit.
    ///
    /// Many broken transports hang, so a mutant that must break the law has only ``patience``. If
    /// the task is cancelled, as by the time limit of a test, the law is broken too.
    func plays(
        _ scene: TransportLaws.Scene, _ clock: TestClock = TestClock(),
        _ body: @escaping @Sendable (TransportLaws.Stage) async throws -> Void
    ) async throws {
        let (results, source) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
        let end = MutantProof.effort.map { _ in Deadline(after: patience, on: timer) }
        // Do not use a task group: it would wait for a transport that ignores cancellation.
        let work = Task {
            do {
                try await play(scene, clock, body)
                source.yield(.success(()))
            } catch {
                source.yield(.failure(error))
            }
        }
        let watch = Task {
            do { try await end?.wait() } catch { return }
            if end == nil { return }
            source.yield(.failure(FailedRequirement(found: "nothing more happened within \(patience)")))
        }
        defer {
            work.cancel()
            watch.cancel()
        }
        // The first of the two decides. The other one is cancelled by the `defer` above.
        for await result in results { return try result.get() }
        throw FailedRequirement(found: "nothing more had happened when the test was cancelled")
    }
}
