import Synchronization
import WharfCore

/// A body of these chunks. It counts the chunks taken, and records its cancellation.
final class Chunks: BodyStream.Producer {
    private struct State {
        var left: ArraySlice<[UInt8]>
        var taken = 0
        var isCancelled = false
    }

    private let state: Mutex<State>
    let trailers: HTTPFields?

    init(_ chunks: [[UInt8]], trailers: HTTPFields? = nil) {
        state = Mutex(State(left: chunks.filter { !$0.isEmpty }[...]))
        self.trailers = trailers
    }

    var taken: Int { state.withLock { $0.taken } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func next() async throws(TransportError) -> [UInt8]? {
        try state.withLock { state throws(TransportError) in
            if state.isCancelled { throw TransportError(.cancelled, message: "the body was cancelled") }
            state.taken += 1
            return state.left.popFirst()
        }
    }

    func cancel() { state.withLock { $0.isCancelled = true } }
}

/// A body of these chunks. It records its first rejection.
final class RejectedChunks: RejectableProducer {
    private let chunks: Chunks
    let rejection = Locked<TransportError?>(nil)

    init(_ chunks: [[UInt8]]) { self.chunks = Chunks(chunks) }

    func next() async throws(TransportError) -> [UInt8]? { try await chunks.next() }
    func cancel() { chunks.cancel() }

    func reject(_ error: TransportError) async {
        rejection.value = rejection.value ?? error
        cancel()
    }
}

final class Locked<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) { mutex = Mutex(value) }

    var value: Value {
        get { mutex.withLock { $0 } }
        set { mutex.withLock { $0 = newValue } }
    }
}
