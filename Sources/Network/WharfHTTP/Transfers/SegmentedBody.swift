internal import Synchronization
internal import WharfCore

/// A segment of a body: bytes in memory, or a file with its announced length.
enum BodySegment: Sendable {
    case bytes([UInt8])
    case file(String, Int64)
}

/// A body that concatenates segments. At most one file is open at a time.
final class SegmentedBody: BodyStream.Producer {
    private struct State {
        // Invariants: `file` is the open segment, which is no longer in `rest`. After a failure
        // `file` is nil, and each call throws the failure.
        var rest: ArraySlice<BodySegment>
        var file: OpenFile?
        /// The error that ended the body early. It stays: segments after a failed one would make
        /// the body look complete.
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
            // There is one reader at a time, so no other call can change the state between this
            // lock and the next.
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
                // A cancellation may have come while the file was opened. Storing it would keep the
                // descriptor open.
                state.withLock { if $0.failure == nil { $0.file = file } }
            case nil: return nil
            }
        }
    }
}

extension OpenFile {
    /// Opens a file.
    ///
    /// - Throws: ``TransportError/Code/fileUnreadable``, also if the file does not have the
    ///   announced length.
    fileprivate convenience init(_ path: String, expecting length: Int64) throws(TransportError) {
        try self.init(path)
        // The length was announced in the request's head. Another length would break the framing.
        guard self.length == length else {
            throw TransportError(
                .fileUnreadable,
                message: "the file \(path) was changed: it has \(self.length) bytes instead of the announced "
                    + "\(length); make the request anew")
        }
    }
}
