internal import Synchronization
internal import WharfCore

/// A part of a body in memory, copied piece by piece.
///
/// The body itself is shared with the store, so a reader of a large part holds one piece more.
final class MemoryPart: BodyStream.Producer {
    private static let pieceSize = 64 << 10

    private struct State {
        var rest: Range<Int>
        var isCancelled = false
    }

    private let body: [UInt8]
    private let state: Mutex<State>

    /// - Parameter bytes: positions that the body has.
    init(_ body: [UInt8], _ bytes: Range<Int64>) {
        self.body = body
        self.state = Mutex(State(rest: Int(bytes.lowerBound)..<Int(bytes.upperBound)))
    }

    func next() async throws(TransportError) -> [UInt8]? {
        try state.withLock { state throws(TransportError) in
            if state.rest.isEmpty { return nil }
            if state.isCancelled {
                throw TransportError(.cancelled, message: "the part of the stored body was cancelled by its reader")
            }
            let piece = state.rest.prefix(Self.pieceSize)
            state.rest = piece.endIndex..<state.rest.upperBound
            return Array(body[piece])
        }
    }

    func cancel() { state.withLock { $0.isCancelled = true } }
}
