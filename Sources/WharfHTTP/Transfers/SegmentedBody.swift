internal import Synchronization
internal import WharfCore

/// A stretch of a body: bytes that are here, or a file with the length that was announced for it.
enum BodySegment: Sendable {
    case bytes([UInt8])
    case file(String, Int64)
}

/// Stretches one behind the other. One file is open at a time, from when it is reached until its
/// end.
final class SegmentedBody: BodyStream.Producer {
    private struct State {
        var rest: ArraySlice<BodySegment>
        var file: OpenFile?
        /// Why it ended early. What comes behind a stretch that failed would look like a whole
        /// body.
        var failure: TransportError?

        mutating func fail(_ error: TransportError) {
            if failure == nil { failure = error }
            file = nil
        }
    }

    private let state: Mutex<State>

    init(_ segments: [BodySegment]) { state = Mutex(State(rest: segments[...], file: nil, failure: nil)) }

    func next() async throws(TransportError) -> [UInt8]? {
        do throws(TransportError) {
            return try await read()
        } catch {
            state.withLock { $0.fail(error) }
            throw error
        }
    }

    func cancel() { state.withLock { $0.fail(.cancelled) } }

    private func read() async throws(TransportError) -> [UInt8]? {
        while true {
            if Task.isCancelled { throw .cancelled }
            // One reader at a time: nobody else moves on between the two.
            let (failure, open) = state.withLock { ($0.failure, $0.file) }
            if let failure { throw failure }
            if let open {
                if let chunk = try await open.next() { return chunk }
                state.withLock { $0.file = nil }
            }
            switch state.withLock({ $0.rest.popFirst() }) {
            case .bytes(let bytes) where bytes.isEmpty: continue
            case .bytes(let bytes): return bytes
            case .file(let path, let length):
                let file = try OpenFile(path, expecting: length)
                state.withLock { if $0.failure == nil { $0.file = file } }
            case nil: return nil
            }
        }
    }
}

extension OpenFile {
    /// - Throws: ``TransportError/Code/fileUnreadable`` also when it does not have the length that
    ///   was announced.
    fileprivate convenience init(_ path: String, expecting length: Int64) throws(TransportError) {
        try self.init(path)
        guard self.length == length else {
            throw TransportError(
                .fileUnreadable,
                message: "expected \(length) bytes in \(path), as were announced, found \(self.length); the file was "
                    + "changed, so make the request anew")
        }
    }
}
