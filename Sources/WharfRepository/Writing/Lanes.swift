internal import Synchronization

/// Lets those with one key through one after the other, in the order in which they took their places.
final class Lanes<Key: Hashable & Sendable>: Sendable {
    private struct Waiting {
        let number: UInt64
        var continuation: CheckedContinuation<Void, Never>?
    }

    private struct State {
        var last: UInt64 = 0
        var lanes: [Key: [Waiting]] = [:]
    }

    private let state = Mutex(State())

    /// A place at the end of its lane; it has to be left.
    func place(in key: Key) -> UInt64 {
        state.withLock { state in
            state.last += 1
            state.lanes[key, default: []].append(Waiting(number: state.last))
            return state.last
        }
    }

    /// Waits until all who were there before have left.
    func turn(of place: UInt64, in key: Key) async {
        await withCheckedContinuation { continuation in
            let isFirst = state.withLock { state in
                guard let index = state.lanes[key]?.firstIndex(where: { $0.number == place }), index > 0 else {
                    return true
                }
                state.lanes[key]?[index].continuation = continuation
                return false
            }
            if isFirst { continuation.resume() }
        }
    }

    func leave(_ place: UInt64, in key: Key) {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.lanes[key]?.removeAll { $0.number == place }
            guard let first = state.lanes[key]?.first else {
                state.lanes[key] = nil
                return nil
            }
            state.lanes[key]?[0].continuation = nil
            return first.continuation
        }
        next?.resume()
    }
}
