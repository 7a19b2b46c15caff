import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing
import WharfCore
import WharfFakes
import WharfPrimitives
import WharfTestServer

@testable import WharfGateway

struct ShutdownTests {
    private func gateway(
        _ origin: any Transport, clock: any Clock<Duration> = TestClock()
    ) async throws(GatewayError) -> Gateway {
        try await Gateway(origin: "http://origin.test", transport: origin, clock: clock)
    }

    @Test func requestInFlightIsFinishedAtAGracefulShutdown() async throws {
        let gate = Gate()
        let origin = ClosureTransport { _ in
            await gate.pass()
            return .text("late")
        }
        let gateway = try await gateway(origin)
        try await testGracefulShutdown { trigger in
            async let running: Void = gateway.run()
            try await RawClient.run(gateway) { client in
                try await client.get("/", of: gateway)
                await gate.arrivals()
                trigger.triggerGracefulShutdown()
                // The listening socket closes before the connections are drained.
                await #expect(throws: (any Error).self) {
                    while true { try await RawClient.run(gateway) { _ in } }
                }
                gate.open()
                let answer = try await client.answer()
                #expect((answer.status, answer.text, answer["connection"]) == (200, "late", "close"))
                #expect(try await client.rest() == [])
            }
            try await running
        }
    }

    @Test func idleConnectionIsClosedAtAGracefulShutdown() async throws {
        let gateway = try await gateway(RecordingTransport())
        let running = Task { try await gateway.run() }
        try await RawClient.run(gateway) { client in
            try await client.get("/", of: gateway)
            #expect(try await client.answer().status == 200)
            gateway.shutDown()
            #expect(try await client.rest() == [])
        }
        try await running.value
    }

    @Test func drainEndsAtItsLimit() async throws {
        let clock = TestClock()
        let arrived = Promise<Void>()
        let origin = ClosureTransport { _ throws(TransportError) in
            arrived.fulfil()
            await Gate().pass()
            throw TransportError(.cancelled, message: "cancelled")
        }
        let gateway = try await gateway(origin, clock: clock)
        let running = Task { try await gateway.run() }
        try await RawClient.run(gateway) { client in
            try await client.get("/", of: gateway)
            await arrived.wait()
            gateway.shutDown()
            // The watch of the client, and the drain.
            await clock.untilSleeping(2)
            clock.advance(by: GatewayConfiguration().drainLimit)
            #expect(try await client.rest() == [])
        }
        try await running.value
    }

    @Test func cancellationClosesConnectionsAtOnce() async throws {
        let arrived = Promise<Void>()
        let origin = ClosureTransport { _ throws(TransportError) in
            arrived.fulfil()
            await Gate().pass()
            throw TransportError(.cancelled, message: "cancelled")
        }
        let gateway = try await gateway(origin)
        let running = Task { try await gateway.run() }
        try await RawClient.run(gateway) { client in
            try await client.get("/", of: gateway)
            await arrived.wait()
            running.cancel()
            #expect(try await client.rest() == [])
        }
        try await running.value
    }

    @Test func connectionIsAcceptedFromRunOn() async throws {
        let gateway = try await gateway(RecordingTransport())
        #expect(gateway.port != 0 && gateway.url == "http://127.0.0.1:\(gateway.port)")
        try await RawClient.run(gateway) { client in
            try await client.get("/", of: gateway)
            let running = Task { try await gateway.run() }
            #expect(try await client.answer().status == 200)
            gateway.shutDown()
            #expect(try await client.rest() == [])
            try await running.value
        }
    }

    @Test func takenPortIsAnError() async throws {
        try await TestServer.run { server in
            let error = await #expect(throws: GatewayError.self) {
                try await Gateway(
                    origin: "http://a", transport: RecordingTransport(), configuration: .init(address: server.authority)
                )
            }
            #expect(error?.code == .portUnavailable)
            #expect(error?.message.contains("could not listen at \(server.authority)") == true)
        }
    }

    @Test(arguments: ["here", ":1", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:99999", "::1:", "[::1:80"])
    func invalidAddressIsAnError(address: String) async throws {
        let error = await #expect(throws: GatewayError.self) {
            try await Gateway(
                origin: "http://a", transport: RecordingTransport(), configuration: .init(address: address))
        }
        #expect(error?.code == .invalidAddress, "\(error?.message ?? "")")
        #expect(error?.message.contains(address) == true)
    }

    @Test(arguments: ["a", "ftp://a", "http://", "http://a/b", "http://a?b", "http://u@a", "file:///a", "http:a"])
    func invalidOriginIsAnError(origin: String) async throws {
        let error = await #expect(throws: GatewayError.self) {
            try await Gateway(origin: origin, transport: RecordingTransport())
        }
        #expect(error?.code == .invalidOrigin)
        #expect(error?.message.contains("'\(origin)'") == true)
    }

    @Test func invalidNameIsAnError() async throws {
        var configuration = GatewayConfiguration()
        configuration.names = ["a/b"]
        let error = await #expect(throws: GatewayError.self) {
            try await Gateway(origin: "http://a", transport: RecordingTransport(), configuration: configuration)
        }
        #expect(error?.message.contains("'a/b'") == true)
    }
}
