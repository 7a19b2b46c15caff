#if os(Linux) && TestServer
import Synchronization
import Testing
import TransportStages
import WharfCore
import WharfCurl
import WharfFakes
import WharfTestServer

struct ConnectionTests {
    private func get(_ server: TestServer, _ path: String = "/") -> TransportRequest {
        TransportRequest(.to(server, path))
    }

    @Test func aConnectionIsUsedAgain() async throws {
        try await TestServer.run { server in
            server.route(.get, "/", .text("hello"))
            try await withTransport { transport in
                for _ in 0..<3 { _ = try await transport.send(get(server)).body.collect() }
                #expect(Set(server.requests.map(\.connection)).count == 1)
            }
        }
    }

    @Test func noMoreConnectionsThanAllowedAreMade() async throws {
        try await TestServer.run { server in
            let gate = Gate()
            server.route(.get, "/", .text("hello").held { await gate.pass() })
            try await withTransport(.patient(connectionsPerHost: 3)) { transport in
                let tasks = (0..<10).map { _ in Task { try await transport.send(get(server)).body.collect() } }
                try await server.request(3)
                gate.open()
                for task in tasks { #expect(try await task.value == Array("hello".utf8)) }
                #expect(server.connectionCount == 3)
            }
        }
    }

    @Test func unreadBodiesBlockNoOtherRequest() async throws {
        try await TestServer.run { server in
            let piece = [UInt8](repeating: 65, count: 65_536)
            server.route(.get, "/long", .pieces { $0 < 1000 ? piece : nil })
            server.route(.get, "/short", .text("hello"))
            try await withTransport(.patient(connectionsPerHost: 3)) { transport in
                var unread: [TransportResponse] = []
                for _ in 0..<12 { unread.append(try await transport.send(get(server, "/long"))) }
                #expect(try await transport.send(get(server, "/short")).body.collect() == Array("hello".utf8))
                for response in unread.prefix(2) { #expect(try await response.body.collect().count == 65_536_000) }
                unread = []
                #expect(try await transport.send(get(server, "/short")).body.collect() == Array("hello".utf8))
            }
        }
    }

    @Test func thousandConcurrentRequestsAreAnswered() async throws {
        try await TestServer.run { server in
            server.route(.get, "/:n") { .text($0.parameters["n"] ?? "") }
            try await withTransport { transport in
                let right = await withTaskGroup(of: Bool.self) { group in
                    for index in 0..<1000 {
                        group.addTask {
                            do throws(TransportError) {
                                let response = try await transport.send(get(server, "/\(index)"))
                                return try await response.body.collect() == Array("\(index)".utf8)
                            } catch {
                                return false
                            }
                        }
                    }
                    return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(right == 1000)
                #expect(server.connectionCount <= 16)
            }
        }
    }

    /// The body is four times larger than the system's socket buffers on the loopback interface. So
    /// the rest must have waited.
    @Test func aReaderThatDoesNotReadHoldsTheSenderBack() async throws {
        try await TestServer.run { server in
            let count = 1024
            let made = Mutex<[String: Int]>([:])
            server.route(.get, "/:reader") { request in
                let reader = request.parameters["reader"] ?? ""
                return .pieces { index in
                    guard index < count else { return nil }
                    made.withLock { $0[reader, default: 0] += 1 }
                    return [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 65_536)
                }
            }
            try await withTransport { transport in
                let slow = try await transport.send(get(server, "/slow"))
                // Another reader reads as much meanwhile, so there was time to send all of it.
                let fast = try await transport.send(get(server, "/fast")).body.collect()
                #expect(fast.count == count * 65_536)
                let early = made.withLock { $0["slow"] ?? 0 }
                #expect(early < count / 2, "\(early) of \(count) pieces were sent")
                let body = try await slow.body.collect()
                #expect(body == fast)
            }
        }
    }

    @Test(Programs.python) func anIPv6AddressIsReached() async throws {
        try await Peer.run(["http", "::1"]) { peer in
            try await withTransport { transport in
                let response = try await transport.send(peer.request("/a", host: "[::1]"))
                #expect(try await response.body.collect() == Array("hello from ::1".utf8))
            }
            #expect(try await peer.end() == ["request GET /a HTTP/1.1"])
        }
    }
}
#endif
