#if os(Linux) && TestServer
import Testing
import TransportStages
import WharfCore
import WharfCurl
import WharfFakes
import WharfTestServer

struct ClosingTests {
    @Test func closedTransportCancelsCurrentAndLaterRequests() async throws {
        try await TestServer.run { server in
            server.route(.get, "/head", .hanging)
            let never = Gate()
            server.route(.get, "/body", .text("hello").heldInBody(after: 1) { await never.pass() })
            let transport = CurlTransport.patient()
            let half = try await transport.send(TransportRequest(.to(server, "/body")))
            let waiting = Task { try await transport.send(TransportRequest(.to(server, "/head"))).head }
            try await server.request(2)
            transport.close()
            transport.close()
            let errors = [
                await #expect(throws: TransportError.self) { try await half.body.collect() },
                await #expect(throws: TransportError.self) { try await waiting.value },
                await #expect(throws: TransportError.self) {
                    try await transport.send(TransportRequest(.to(server, "/head")))
                },
            ]
            #expect(errors.map { $0?.code } == [.cancelled, .cancelled, .cancelled])
            #expect(errors.allSatisfy { $0?.message.contains("closed") == true })
            #expect(server.requests.count == 2)
            let outcomes = (try await server.outcome(of: 1), try await server.outcome(of: 2))
            #expect(outcomes == (.disconnected, .disconnected))
        }
    }

    @Test func closedTransportCancelsQueuedRequests() async throws {
        try await TestServer.run { server in
            server.route(.get, "/*", .hanging)
            let transport = CurlTransport.patient(connectionsPerHost: 1)
            let tasks = (0..<5).map { _ in Task { try await transport.send(TransportRequest(.to(server, "/"))).head } }
            try await server.request(1)
            transport.close()
            for task in tasks {
                let error = await #expect(throws: TransportError.self) { try await task.value }
                #expect(error?.code == .cancelled)
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test func requestRightAfterClosingIsCancelled() async throws {
        // The event thread may handle both at once, or the first alone.
        for _ in 0..<500 {
            let transport = CurlTransport.patient()
            transport.close()
            let head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:9", path: "/")
            let error = await #expect(throws: TransportError.self) { try await transport.send(TransportRequest(head)) }
            #expect(error?.code == .cancelled)
        }
    }

    @Test func timeoutClosesTheConnectionOfAnUnreadBody() async throws {
        try await TestServer.run { server in
            let (clock, never) = (TestClock(), Gate())
            server.route(.get, "/", .text("hello").heldInBody(after: 1) { await never.pass() })
            try await withTransport(.patient(clock: clock)) { transport in
                let held = try await transport.send(TransportRequest(.to(server, "/"), timeout: .seconds(30)))
                await clock.untilSleeping()
                clock.advance(by: .seconds(30))
                let outcome = try await server.outcome(of: 1)
                #expect(outcome == .disconnected)
                let error = await #expect(throws: TransportError.self) { try await held.body.collect() }
                #expect(error?.code == .timedOut)
            }
        }
    }

    @Test func timeoutInTheQueueNamesTheConnectionLimit() async throws {
        try await TestServer.run { server in
            let clock = TestClock()
            server.route(.get, "/*", .hanging)
            try await withTransport(.patient(connectionsPerHost: 1, clock: clock)) { transport in
                let first = Task { try await transport.send(TransportRequest(.to(server, "/"))).head }
                try await server.request(1)
                let second = Task {
                    try await transport.send(TransportRequest(.to(server, "/?key=secret"), timeout: .seconds(30))).head
                }
                await clock.untilSleeping()
                clock.advance(by: .seconds(30))
                let error = await #expect(throws: TransportError.self) { try await second.value }
                #expect(error?.code == .timedOut)
                #expect(error?.message.contains("connectionsPerHost") == true)
                #expect(error?.message.contains("secret") == false)
                first.cancel()
                await #expect(throws: TransportError.self) { try await first.value }
            }
        }
    }

    @Test func anAnswerOutlivesItsTransport() async throws {
        try await TestServer.run { server in
            let gate = Gate()
            server.route(.get, "/", .text("hello").heldInBody(after: 1) { await gate.pass() })
            let response = try await CurlTransport.patient().send(TransportRequest(.to(server, "/")))
            gate.open()
            #expect(try await response.body.collect() == Array("hello".utf8))
        }
    }

    @Test func aStormOfCancellationsLeavesTheTransportUsable() async throws {
        try await TestServer.run { server in
            server.route(.get, "/held", .hanging)
            server.route(.get, "/", .text("hello"))
            try await withTransport(.patient(connectionsPerHost: 8)) { transport in
                for round in 0..<20 {
                    let tasks = (0..<40).map { index in
                        Task {
                            let path = index.isMultiple(of: 2) ? "/held" : "/"
                            return try await transport.send(TransportRequest(.to(server, path))).body.collect()
                        }
                    }
                    for (index, task) in tasks.enumerated() where index % 3 == round % 3 { task.cancel() }
                    for task in tasks { task.cancel() }
                    for task in tasks {
                        // Any of them may have its answer by now.
                        _ = await task.result
                    }
                }
                let body = try await transport.send(TransportRequest(.to(server, "/"))).body.collect()
                #expect(body == Array("hello".utf8))
            }
        }
    }

    @Test func concurrentTransportsAllFinish() async throws {
        try await TestServer.run { server in
            server.route(.get, "/", .text("hello"))
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<50 {
                    group.addTask {
                        let transport = CurlTransport.patient()
                        let tasks = (0..<4).map { _ in
                            Task { try await transport.send(TransportRequest(.to(server, "/"))).body.collect() }
                        }
                        if index.isMultiple(of: 2) { transport.close() }
                        for task in tasks { _ = await task.result }
                    }
                }
            }
        }
    }
}
#endif
