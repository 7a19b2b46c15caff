import FlyingSocks
import Foundation
import Testing
import WharfChecks
import WharfCore
import WharfFaults

@testable import WharfTestServer

/// Behaviour that is visible on sockets only.
struct FaultProxyTests {
    private static func connect(_ authority: String) async throws -> SocketStream {
        try await SocketStream.connect(to: try OriginAddress(authority).address, in: try await SocketLoop.shared)
    }

    /// Reads all bytes until the end of the connection, and tells how it ended.
    private static func all(_ stream: SocketStream) async throws -> (bytes: [UInt8], end: SocketStream.Arrival) {
        var bytes: [UInt8] = []
        while true {
            let arrival = try await stream.arrival()
            guard case .bytes(let more) = arrival else { return (bytes, arrival) }
            bytes += more
        }
    }

    private static let request = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)

    private static func exchange(
        _ authority: String, _ sent: [UInt8] = request
    ) async throws -> (bytes: [UInt8], end: SocketStream.Arrival) {
        let stream = try await connect(authority)
        _ = try await stream.deliver(sent)
        let result = try await all(stream)
        await stream.close()
        return result
    }

    private static func withServer(
        _ plan: FaultPlan, onReport: @escaping FaultReportHandler = { _ in },
        _ body: (TestServer, FaultProxy) async throws -> Void
    ) async throws {
        try await TestServer.run { server in
            server.route(nil, "/*", .text("hello world").closing())
            try await FaultProxy.run(to: server.authority, plan, seed: 42, onReport: onReport) { proxy in
                try await body(server, proxy)
            }
        }
    }

    @Test(arguments: [0, 1, 20, 100])
    func connectionIsResetAtItsByte(count: Int) async throws {
        try await Self.withServer([.reset(afterBytes: count)]) { _, proxy in
            let result = try await Self.exchange(proxy.authority)
            #expect(result.end == .reset)
            // A reset may overtake bytes that the client has not read.
            #expect(result.bytes.count <= count)
        }
    }

    @Test(arguments: [0, 1, 20, 100])
    func truncationClosesCleanlyAtItsByte(count: Int) async throws {
        try await Self.withServer([.truncated(afterBytes: count)]) { _, proxy in
            let result = try await Self.exchange(proxy.authority)
            #expect(result.end == .end && result.bytes.count == count)
        }
    }

    @Test func aRequestThatIsTruncatedNeverArrives() async throws {
        try await Self.withServer([.truncated(afterBytes: 9, .toServer)]) { server, proxy in
            let result = try await Self.exchange(proxy.authority)
            #expect(result.bytes.isEmpty && server.requests.isEmpty && server.connectionCount == 1)
        }
    }

    @Test func aPortThatIsRefusedOpensAtItsTime() async throws {
        let start = ContinuousClock.now
        try await Self.withServer([.refused.until(.milliseconds(100))]) { _, proxy in
            var stream: SocketStream?
            while stream == nil {
                do { stream = try await Self.connect(proxy.authority) } catch is SocketError { await Task.yield() }
            }
            #expect(ContinuousClock.now - start >= .milliseconds(100))
            await stream?.close()
        }
    }

    @Test func anOriginThatIsNotThereIsReported() async throws {
        let reports = Reports()
        try await TestServer.run { gone in
            await gone.stop()
            try await FaultProxy.run(to: gone.authority, .none, onReport: { reports.add($0) }) { proxy in
                let result = try await Self.exchange(proxy.authority)
                #expect(result.end == .reset && result.bytes.isEmpty)
            }
            let report = try #require(reports[.originUnreachable].first)
            #expect(
                report.message.contains("the origin \(gone.authority) could not be reached") && report.exchange == 1)
        }
    }

    @Test(arguments: [FaultPlan.none, .offline, [.loss(.share(1), .toServer)], [.loss(.share(1))]])
    func aClientThatLeavesEndsItsConnection(plan: FaultPlan) async throws {
        let reports = Reports()
        try await Self.withServer(plan, onReport: { reports.add($0) }) { server, proxy in
            server.route(.get, "/never", .hanging)
            let stream = try await Self.connect(proxy.authority)
            _ = try await stream.deliver(Array("GET /never HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
            if plan.faults.first?.direction != .toServer { try await server.request(1) }
            await stream.close()
            await reports.endings(1)
            if let outcome = server.requests.first.map({ $0.number }) {
                #expect(try await server.outcome(of: outcome) == .disconnected)
            }
        }
    }

    @Test func totalLossHidesTheEndFromTheClient() async throws {
        try await Self.withServer(.offline) { server, proxy in
            let stream = try await Self.connect(proxy.authority)
            await waitUntil { server.connectionCount != 0 }
            await server.dropConnections()
            // Lets the proxy see the end. Without the loss it would forward the end now.
            await letOthersRun()
            await proxy.stop()
            #expect(try await stream.arrival() == .reset)
            await stream.close()
        }
    }

    @Test func nonHTTPBytesPassAndAreReported() async throws {
        let reports = Reports()
        let hello: [UInt8] = [0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]
        try await Self.withServer([.status(.badGateway)], onReport: { reports.add($0) }) { _, proxy in
            let result = try await Self.exchange(proxy.authority, hello)
            // The bytes reached the server, which rejects them.
            #expect(String(decoding: result.bytes, as: UTF8.self).hasPrefix("HTTP/1.1 400"))
        }
        #expect(reports[.skipped].map(\.faults) == [[.status(.badGateway)]])
    }

    @Test func eachConnectionIsReported() async throws {
        let reports = Reports()
        try await Self.withServer([.latency(.milliseconds(1)).first(1)], onReport: { reports.add($0) }) { _, proxy in
            for number in 1...2 {
                _ = try await Self.exchange(proxy.authority)
                await reports.endings(number)
            }
        }
        #expect(reports[.began].map(\.message) == ["latency=1ms,first=1", "no fault"])
        #expect(reports[.ended].map(\.exchange) == [1, 2])
        #expect(reports[.ended].allSatisfy { $0.message.contains("bytes to the server") })
        #expect(reports[.began][0].description == "seed 42, exchange 1: latency=1ms,first=1")
    }

    @Test func concurrentConnectionsLeakNoSockets() async throws {
        func open() throws -> Int {
            #if os(Linux)
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            #else
            0
            #endif
        }
        let before = try open()
        let plan: FaultPlan = [
            .latency(.milliseconds(5), jitter: .milliseconds(5)), .reset(afterBytes: 60).with(probability: 0.3),
            .truncated(afterBytes: 40).with(probability: 0.3), .status(.badGateway).with(probability: 0.2),
            .reset(after: .milliseconds(4)).with(probability: 0.2),
            .loss(.share(1), .toServer).with(probability: 0.1),
            // A reset ends the connections whose packets are lost.
            .reset(after: .milliseconds(200)),
        ]
        try await Self.withServer(plan) { server, proxy in
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<300 {
                    if number >= 20 { await group.next() }
                    group.addTask {
                        do {
                            let stream = try await Self.connect(proxy.authority)
                            _ = try await stream.deliver(Self.request)
                            if number % 3 > 0 { _ = try await stream.arrival() }
                            await stream.close()
                        } catch is SocketError {
                            // The connection was cut before it was established.
                        } catch {
                            Issue.record("\(error)")
                        }
                    }
                }
            }
            // A client that leaves at once may not have been accepted yet.
            await waitUntil { proxy.connectionCount >= 300 }
            #expect(proxy.connectionCount == 300)
        }
        // There were 600 sockets. Other tests run concurrently and open sockets of their own for a
        // while.
        try await waitUntil { try open() < before + 300 }
    }

    @Test func stoppedProxyDropsConnectionsAndCanBeRestarted() async throws {
        try await TestServer.run { server in
            server.route(.get, "/never", .hanging)
            let proxy = try await FaultProxy.start(to: server.authority, .offline)
            let stream = try await Self.connect(proxy.authority)
            await proxy.stop()
            await proxy.stop()
            #expect(try await stream.arrival() == .reset)
            await stream.close()
            await #expect(throws: SocketError.self) { try await Self.connect(proxy.authority) }
            let again = try await FaultProxy.start(to: server.authority, .none, at: proxy.authority)
            #expect(again.authority == proxy.authority)
            await again.stop()
        }
    }

    @Test func invalidAddressIsRefusedByName() async throws {
        for text in ["", "localhost", "example.com:80", "127.0.0.1:99999", "::1:80"] {
            let error = await #expect(throws: FaultProxyError.self) { try await FaultProxy.start(to: text, .none) }
            #expect(error?.code == .invalidAddress && error?.message.contains("found '\(text)'") == true)
        }
        try await TestServer.run { server in
            let error = await #expect(throws: FaultProxyError.self) {
                try await FaultProxy.start(to: server.authority, .none, at: server.authority)
            }
            #expect(error?.code == .portUnavailable && error?.message.contains(server.authority) == true)
        }
    }
}
