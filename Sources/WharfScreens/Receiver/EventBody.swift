internal import WharfCore
internal import WharfJSON
internal import WharfPlayback

/// The stream of events that a sender reads.
final class EventBody: BodyStream.Producer {
    private let chunks: AsyncStream<[UInt8]>
    private let tasks: [Task<Void, Never>]

    /// - Parameter known: the id of the last event that the sender has; nil for none.
    init(
        _ feed: StateFeed<ReceiverSession.Told>, known: Int?, heartbeat: Duration, retry: Duration,
        clock: any Clock<Duration>
    ) {
        // A sender that is slow needs only the newest, and each chunk is whole.
        let (chunks, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(4))
        self.chunks = chunks
        continuation.yield(Array("retry: \(retry.milliseconds)\n\n".utf8))
        let events = feed.states()
        tasks = [
            Task {
                for await told in events where told.event != known { continuation.yield(told.bytes) }
                continuation.finish()
            },
            Task {
                while true {
                    do { try await clock.sleep(for: heartbeat) } catch { return }
                    continuation.yield(Array(": still here\n\n".utf8))
                }
            },
        ]
    }

    deinit { cancel() }

    func next() async throws(TransportError) -> [UInt8]? {
        var iterator = chunks.makeAsyncIterator()
        let chunk = await iterator.next()
        // A reader that leaves ends the sequence too, and nothing is to look whole then.
        if chunk == nil, Task.isCancelled || tasks[0].isCancelled { throw .cancelled }
        return chunk
    }

    func cancel() { for task in tasks { task.cancel() } }
}

extension ReceiverSession.Told {
    fileprivate var bytes: [UInt8] {
        do throws(JSONError) {
            let (type, data) =
                switch message {
                case .state(let state): ("state", try JSON.encode(state))
                case .end(let failure): ("end", try JSON.encode(failure))
                }
            return ServerSentEvent(type: type, data: String(decoding: data, as: UTF8.self), id: "\(event)").bytes
        } catch {
            // All that is written are strings and whole numbers.
            return Array(": \(error.code)\n\n".utf8)
        }
    }
}
