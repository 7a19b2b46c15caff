import NIOCore
import NIOEmbedded
import NIOPosix
import Testing
import WharfChecks
import WharfFakes
import WharfPlayback
import WharfPlaybackLaws

@testable import WharfCast

struct ChannelTests {
    /// The first address refuses the connection, which is found out while connecting.
    @Test(arguments: ["::1", "127.0.0.2"]) func hostIsReachedAtTheAddressThatAnswers(
        other: String
    ) async throws {
        try await CastReceiver.run { receiver in
            let resolver = Addresses(
                first: try SocketAddress(ipAddress: other, port: receiver.port),
                then: try SocketAddress(ipAddress: "127.0.0.1", port: receiver.port))
            let screen = CastScreen(
                id: "receiver", name: "Receiver", host: "tv.local", port: receiver.port, clock: TestClock(),
                resolver: resolver)
            try await screen.connect()
            try await screen.perform(.load(SessionTalk.film, at: .zero, playing: true))
            #expect(await screen.state?.phase == .playing)
            #expect(receiver.connections == 1)
        }
    }

    @Test func readingPausesWhileThePeerReadsNoAnswers() throws {
        let reads = Reads()
        let channel = EmbeddedChannel(handler: reads)
        try CastChannel.prepare(channel)
        channel.read()
        #expect(reads.count == 1)
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        channel.read()
        #expect(reads.count == 1)
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(reads.count == 2)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    /// The connection may close before the caller knows of it.
    @Test func closedChannelFailsTheConnect() async throws {
        let channel = EmbeddedChannel()
        let call = Call()
        let link = CastConnection(
            on: Stopwatch(TestClock()),
            observers: .init(
                connected: { _ in Issue.record("connected") }, ended: { #expect($0.code == .disconnected) }))
        link.arrive(call)
        try channel.pipeline.syncOperations.addHandler(link)
        let error = await #expect(throws: PlaybackError.self) { try await call.wait {} }
        #expect(error?.code == .disconnected)
    }

    private final class Reads: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        private(set) var count = 0

        func read(context: ChannelHandlerContext) {
            count += 1
            context.read()
        }
    }

    /// Resolves every host name to the two addresses.
    private struct Addresses: Resolver, Sendable {
        let first: SocketAddress
        let then: SocketAddress
        private let loop = MultiThreadedEventLoopGroup.singleton.next()

        func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
            loop.makeSucceededFuture([first])
        }

        func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
            loop.makeSucceededFuture([then])
        }

        func cancelQueries() {}
    }
}
