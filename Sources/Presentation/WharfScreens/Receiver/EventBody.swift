internal import Synchronization
internal import WharfCore
internal import WharfJSON
internal import WharfPlayback

/// The stream of events that a sender reads.
///
/// A slow reader gets only the newest state, and at most one heartbeat after it.
final class EventBody: BodyStream.Producer {
    /// The pending events: the newest state, a heartbeat and the end.
    private final class Page: Sendable {
        private struct Content {
            // Invariant: a signal follows each change. So a reader that finds nothing to write can
            // wait for it.
            var retry: [UInt8]?
            var unsent: ReceiverSession.SentState?
            var beats = false
            var isOver = false
            /// The event id of the last state that the sender has; nil for none.
            var known: Int?
        }

        private let content: Mutex<Content>
        /// A signal that there is something to write. It carries no content.
        let changes: AsyncStream<Void>
        private let signal: AsyncStream<Void>.Continuation

        init(known: Int?, retry: Duration) {
            content = Mutex(Content(retry: Array("retry: \(retry.milliseconds)\n\n".utf8), known: known))
            (changes, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        }

        func tell(_ unsent: ReceiverSession.SentState) {
            content.withLock { $0.unsent = unsent }
            signal.yield()
        }

        var holdsState: Bool { content.withLock { $0.unsent != nil } }

        func beat() {
            content.withLock { $0.beats = true }
            signal.yield()
        }

        func end() {
            content.withLock { $0.isOver = true }
            signal.yield()
        }

        /// - Returns: the next bytes; empty if there is nothing to write; nil at the end.
        func take() -> [UInt8]? {
            content.withLock { content in
                // First of all, so that a sender knows the pause before its first failure.
                if let retry = content.retry.take() { return retry }
                if let unsent = content.unsent.take() {
                    let bytes = unsent.bytes(behind: content.known)
                    content.known = unsent.event
                    // A state serves as a heartbeat too.
                    guard bytes.isEmpty else {
                        content.beats = false
                        return bytes
                    }
                }
                // After the last state, which carries the end of the session.
                if content.isOver { return nil }
                defer { content.beats = false }
                return content.beats ? Array(": still here\n\n".utf8) : []
            }
        }
    }

    private let page: Page
    private let tasks: [Task<Void, Never>]

    /// - Parameter known: the id of the last event that the sender has; nil for none.
    init(
        _ feed: StateFeed<ReceiverSession.SentState>, known: Int?, heartbeat: Duration, retry: Duration,
        clock: any Clock<Duration>
    ) {
        let page = Page(known: known, retry: retry)
        self.page = page
        let events = feed.states()
        tasks = [
            Task {
                for await unsent in events { page.tell(unsent) }
                page.end()
            },
            Task {
                while true {
                    do { try await clock.sleep(for: heartbeat) } catch { return }
                    page.beat()
                }
            },
        ]
    }

    deinit { cancel() }

    /// Whether there is a state that the sender has not read.
    var holdsState: Bool { page.holdsState }

    func next() async throws(TransportError) -> [UInt8]? {
        var changes = page.changes.makeAsyncIterator()
        while true {
            // Content first, signal second: a signal that came before the wait is buffered, so it
            // is not lost.
            guard let bytes = page.take() else { break }
            if !bytes.isEmpty { return bytes }
            // The signals end only if the reading task is cancelled.
            guard await changes.next(isolation: nil) != nil else { throw .cancelled }
        }
        // A cancelled reader ends the events too. Its body must not look complete.
        if tasks[0].isCancelled { throw .cancelled }
        tasks[1].cancel()
        return nil
    }

    func cancel() { for task in tasks { task.cancel() } }
}

extension ReceiverSession.SentState {
    /// - Parameter known: the id of the last event that the sender has; nil for none.
    fileprivate func bytes(behind known: Int?) -> [UInt8] {
        do throws(JSONError) {
            var events: [ServerSentEvent] = []
            if event != known { events.append(.init(type: "state", data: try JSON.encode(state), id: event)) }
            if let end {
                events.append(.init(type: "end", data: try JSON.encode(ScreenMessage.Failure(end)), id: event + 1))
            }
            return events.flatMap(\.bytes)
        } catch {
            // Strings and whole numbers can always be encoded, so this does not happen.
            return Array(": \(error.code)\n\n".utf8)
        }
    }
}

extension ServerSentEvent {
    fileprivate init(type: String, data: [UInt8], id: Int) {
        self.init(type: type, data: String(decoding: data, as: UTF8.self), id: "\(id)")
    }
}
