#if Server
internal import NIOCore
internal import Synchronization
internal import WharfPrimitives

/// The open connections of a gateway, with those of WebSockets to the origin, and the tasks that
/// answer their requests.
final class ConnectionList: Sendable {
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])
    private let closing = Atomic(false)
    private let work = WaitGroup()

    /// Whether no further request is accepted.
    var isClosing: Bool { closing.load(ordering: .acquiring) }

    var count: Int { channels.withLock(\.count) }

    /// Adds a connection until it closes. It is closed at once if the gateway is closing.
    func add(_ channel: any Channel) {
        work.enter()
        let isLate = channels.withLock { channels in
            channels[ObjectIdentifier(channel)] = channel
            // Read under the lock. `quiesce` sets it before it reads the list, so one of both sees
            // the other.
            return isClosing
        }
        channel.closeFuture.whenComplete { _ in
            self.channels.withLock { $0[ObjectIdentifier(channel)] = nil }
            self.work.leave()
        }
        if isLate { channel.close(promise: nil) }
    }

    /// Counts a task that ``wait()`` waits for.
    func beginTask() { work.enter() }

    func endTask() { work.leave() }

    /// Lets each connection finish its request, and closes those without one.
    func quiesce() {
        closing.store(true, ordering: .releasing)
        for channel in channels.withLock({ Array($0.values) }) {
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    func closeAll() {
        closing.store(true, ordering: .releasing)
        for channel in channels.withLock({ Array($0.values) }) { channel.closeAtOnce() }
    }

    /// Waits until all connections are closed and all tasks have ended.
    func wait() async { await work.wait() }
}
#endif
