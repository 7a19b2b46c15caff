internal import Comparisons
internal import Fixtures
internal import Synchronization
internal import Turns

/// A subject that is timed beside others.
///
/// It is created before the first measurement, and closed after the last one.
struct Reader: Sendable {
    let open: @Sendable () async throws -> Void
    let close: @Sendable () async throws -> Void
    let way: @Sendable (Entries, Keys) -> Way

    init<S: Subject>(_ timing: Timing, make: @escaping @Sendable () async throws -> S) {
        let made = Held<S>()
        open = { made.hold(try await make()) }
        close = { try await made.value.close() }
        way = { entries, keys in
            Way.preparing(timing) {
                let subject = try made.value
                let items = keys.pick(timing.operations, of: entries.count).map(subject.item)
                let expected = items.count * entries.length
                return {
                    let bytes = try await subject.read(items)
                    guard bytes == expected else {
                        throw WrongAnswer(expected: "\(expected) bytes", found: "\(bytes)")
                    }
                }
            }
        }
    }
}

/// Passes the result of the setup to the runs and the teardown, which have no parameters.
final class Held<Value: Sendable>: Sendable {
    private let held = Mutex<Value?>(nil)

    func hold(_ value: Value) { held.withLock { $0 = value } }

    var value: Value {
        get throws {
            guard let value = held.withLock({ $0 }) else {
                throw WrongAnswer(expected: "a setup before", found: "none")
            }
            return value
        }
    }
}
