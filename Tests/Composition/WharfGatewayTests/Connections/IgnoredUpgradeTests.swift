import NIOCore
import NIOEmbedded
import Testing
import WharfCore
import WharfFakes

@testable import WharfGateway

/// A client that sends bytes after a request whose `Upgrade` is ignored.
///
/// SwiftNIO's parser then stops, and keeps them. The channel is in this process, so each write has
/// passed all handlers when it returns, and the bytes are counted exactly.
struct IgnoredUpgradeTests {
    private func core(over transport: any Transport, headLimit: Int) throws -> GatewayCore {
        var configuration = GatewayConfiguration()
        configuration.requestHeadLimit = headLimit
        let clock = TestClock()
        return try GatewayCore(
            site: Site(Site.origin("http://origin.test"), listening: (host: "127.0.0.1", port: 8080), names: []),
            transport: transport, configuration: configuration, clock: clock, wallClock: clock.wall, identity: nil)
    }

    private func write(_ bytes: ByteBuffer, to channel: NIOAsyncTestingChannel) async throws {
        try await channel.writeInbound(bytes)
        // A testing loop does not run the work of its own handlers, such as the task of a request.
        await channel.testingEventLoop.run()
    }

    @Test func bytesAboveTheLimitEndTheConnection() async throws {
        let gate = Gate()
        let held = ClosureTransport { _ in
            await gate.pass()
            return .text("late")
        }
        let core = try core(over: held, headLimit: 1_000)
        let channel = NIOAsyncTestingChannel()
        try await channel.eventLoop.flatSubmit { core.initialize(channel) }.get()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        let request = "GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
        try await write(ByteBuffer(string: request), to: channel)
        await gate.arrivals(1)
        for _ in 0..<10 {
            try await write(ByteBuffer(repeating: 0, count: 100), to: channel)
            #expect(channel.isActive)
        }
        try await write(ByteBuffer(repeating: 0, count: 1), to: channel)
        #expect(!channel.isActive)
        // The request ends with its client.
        await core.connections.wait()
    }
}
