import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import WharfChecks
import WharfFakes
import WharfJSON
import WharfPlayback
import WharfPlaybackLaws

@testable import WharfCast

/// A Google Cast receiver on the loopback interface: TLS, frames and ``ReceiverWorld``. It can
/// disappear, hang and come back.
final class CastReceiver: Sendable {
    private struct State {
        var world = ReceiverWorld()
        var channels: [Int: any Channel] = [:]
        var last = 0
        var listener: (any Channel)?
        var isHanging = false
        var port = 0
        var held: ReservedPort?
        var watchers:
            [(
                condition: @Sendable ([ReceiverWorld.ReceivedMessage]) -> Bool,
                continuation: CheckedContinuation<Void, Never>
            )] =
                []
    }

    private let state = Mutex(State())
    private let watch: Stopwatch
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    init(clock: any Clock<Duration>) { watch = Stopwatch(clock) }

    static func run<Result>(
        clock: any Clock<Duration> = TestClock(), _ body: (CastReceiver) async throws -> Result
    ) async throws -> Result {
        let receiver = CastReceiver(clock: clock)
        try await receiver.listen()
        do {
            let result = try await body(receiver)
            await receiver.vanish()
            return result
        } catch {
            await receiver.vanish()
            throw error
        }
    }

    var port: Int { state.withLock { $0.port } }
    var received: [ReceiverWorld.ReceivedMessage] { state.withLock { $0.world.received } }
    var connections: Int { state.withLock { $0.channels.count } }
    /// The current media status as it would be sent, or nil if no item is loaded.
    var playing: JSONValue? { state.withLock { [watch] in $0.world.player.status(at: watch.elapsed())[0] } }

    func change(_ change: (inout ReceiverWorld) -> Void) { state.withLock { change(&$0.world) } }

    /// Performs an action that no sender requested, and sends the resulting messages.
    func act(_ action: (inout ReceiverWorld, Duration) throws -> [ReceiverWorld.SentMessage]) rethrows {
        send(try state.withLock { [watch] in try action(&$0.world, watch.elapsed()) })
    }

    /// Sends the message on all connections, valid or not.
    func say(_ message: CastMessage) throws { try say(bytes: CastFrames.frame(message)) }

    func say(bytes: [UInt8]) {
        for channel in state.withLock({ $0.channels.values.map { $0 } }) {
            channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        }
    }

    /// Returns once the messages heard satisfy the condition.
    func until(_ condition: @escaping @Sendable ([ReceiverWorld.ReceivedMessage]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isEnough = state.withLock { state in
                if condition(state.world.received) { return true }
                state.watchers.append((condition, continuation))
                return false
            }
            if isEnough { continuation.resume() }
        }
    }

    // MARK: Being there

    func listen() async throws {
        let port = state.withLock { state in
            state.isHanging = false
            return state.listener == nil ? state.port : nil
        }
        guard let port else { return }
        let context = try TestIdentity.serverContext()
        // Reserved before listening: while another socket listens, no other one can be bound.
        let held = try state.withLock { state in
            let held = try state.held ?? ReservedPort()
            state.held = held
            return held
        }
        let listener = try await ServerBootstrap(group: loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    let handlers: [any ChannelHandler] = [
                        NIOSSLServerHandler(context: context), FrameHandler(of: self),
                    ]
                    try channel.pipeline.syncOperations.addHandlers(handlers)
                }
            }
            .bind(host: "127.0.0.1", port: held.port ?? port).get()
        state.withLock { state in
            state.listener = listener
            state.port = listener.localAddress?.port ?? 0
        }
    }

    /// Sends nothing more until it listens again.
    func hang() { state.withLock { $0.isHanging = true } }

    /// Closes all connections, and refuses new ones.
    func vanish() async {
        let (listener, channels) = state.withLock { state in
            defer { state.listener = nil }
            return (state.listener, state.channels.values.map { $0 })
        }
        do { try await listener?.close() } catch ChannelError.alreadyClosed {} catch { preconditionFailure("\(error)") }
        for channel in channels { channel.close(promise: nil) }
    }

    // MARK: Hearing

    /// - Returns: the number of the connection, or nil if the receiver has just disappeared.
    private func enter(_ channel: any Channel) -> Int? {
        state.withLock { state in
            guard state.listener != nil else { return nil }
            state.last += 1
            state.channels[state.last] = channel
            return state.last
        }
    }

    private func leave(_ connection: Int) {
        state.withLock { state in
            state.channels[connection] = nil
            state.world.drop(connection)
        }
    }

    private func receive(_ message: CastMessage, from connection: Int) throws {
        let (sent, watchers) = try state.withLock { [watch] state in
            var sent: [ReceiverWorld.SentMessage] = []
            if state.isHanging {
                try state.world.note(message, from: connection)
            } else {
                sent = try state.world.receive(message, from: connection, at: watch.elapsed())
            }
            let received = state.world.received
            let satisfied = state.watchers.filter { $0.condition(received) }.map(\.continuation)
            state.watchers.removeAll { $0.condition(received) }
            return (sent, satisfied)
        }
        send(sent)
        for watcher in watchers { watcher.resume() }
    }

    private func send(_ sent: [ReceiverWorld.SentMessage]) {
        for sent in sent {
            let channel = state.withLock { $0.channels[sent.connection] }
            // A receiver's messages are short enough for one frame.
            guard let channel, let bytes = try? CastFrames.frame(sent.message) else { continue }
            channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        }
    }

    private final class FrameHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let receiver: CastReceiver
        private var frames = CastFrames()
        private var connection = 0

        init(of receiver: CastReceiver) { self.receiver = receiver }

        func channelActive(context: ChannelHandlerContext) {
            guard let number = receiver.enter(context.channel) else { return context.close(promise: nil) }
            connection = number
        }

        func channelInactive(context: ChannelHandlerContext) { receiver.leave(connection) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            frames.append(unwrapInboundIn(data).readableBytesView)
            do {
                while let message = try frames.next() { try receiver.receive(message, from: connection) }
            } catch {
                context.close(promise: nil)
            }
        }

        /// A sender that disconnects without a closing message.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
