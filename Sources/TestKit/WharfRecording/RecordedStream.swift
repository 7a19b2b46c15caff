internal import Synchronization
internal import WharfCore

/// A body that passes on another one, and reports each chunk.
final class SeenStream: BodyStream.Producer {
    private let upstream: UpstreamBody
    private let see: @Sendable ([UInt8]) -> Void

    init(_ upstream: BodyStream, see: @escaping @Sendable ([UInt8]) -> Void) {
        self.upstream = UpstreamBody(upstream)
        self.see = see
    }

    func next() async throws(TransportError) -> [UInt8]? {
        guard let chunk = try await upstream.next() else { return nil }
        see(chunk)
        return chunk
    }

    func cancel() { upstream.letGo() }

    var trailers: HTTPFields? { upstream.trailers }
}

/// A response body that reports its bytes at the end.
///
/// The end is that of the body, a failure, or the reader's release of the body.
final class RecordedStream: BodyStream.Producer {
    typealias End = @Sendable (_ bytes: [UInt8], _ failure: TransportError?) throws(TransportError) -> Void

    private struct State {
        var bytes: [UInt8] = []
        var isOver = false
    }

    // `isOver` becomes true once, and `end` is called by the call that set it. Later chunks are not
    // reported.
    private let state: Mutex<State>
    private let upstream: UpstreamBody
    private let end: End

    init(_ upstream: BodyStream, end: @escaping End) {
        self.state = Mutex(State())
        self.upstream = UpstreamBody(upstream)
        self.end = end
    }

    func next() async throws(TransportError) -> [UInt8]? {
        let chunk: [UInt8]?
        do throws(TransportError) {
            chunk = try await upstream.next()
        } catch {
            try finish(error.code == .cancelled ? Self.left : error)
            throw error
        }
        guard let chunk else {
            try finish(nil)
            return nil
        }
        state.withLock { $0.bytes += chunk }
        return chunk
    }

    func cancel() {
        upstream.letGo()
        do throws(TransportError) {
            try finish(Self.left)
        } catch {
            // The reader has left, so there is no caller for this error. The next send, or the
            // reader of the file, gets it.
            return
        }
    }

    var trailers: HTTPFields? { upstream.trailers }

    private func finish(_ failure: TransportError?) throws(TransportError) {
        let bytes: [UInt8]? = state.withLock { state in
            guard !state.isOver else { return nil }
            state.isOver = true
            return state.bytes
        }
        if let bytes { try end(bytes, failure) }
    }

    private static var left: TransportError {
        TransportError(
            .connectionLost,
            message: "the reader cancelled this body when it was recorded, so the rest of it is missing; record it anew"
        )
    }
}
