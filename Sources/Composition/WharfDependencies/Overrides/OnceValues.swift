internal import Synchronization

/// A store of values, each made once by the first thread that reads it.
///
/// Other threads wait for a value while it is made, and can read and make values of other keys. A
/// value that needs itself is a cycle, even through values that two threads make. The read that
/// would close the cycle gets a substitute and does not wait, so there is no deadlock.
final class OnceValues: Sendable {
    private let graph = Mutex(InitializationGraph())

    private static let making = TaskLocal<CurrentInitializer?>(wrappedValue: nil)

    /// The maker on whose stack this task runs.
    private struct CurrentInitializer: Sendable {
        let values: ObjectIdentifier
        let maker: InitializationGraph.Initializer.ID
        let task: Int?
    }

    /// Returns the value, and makes it first if no thread has made it.
    ///
    /// - Parameters:
    ///   - make: makes the value, without a lock on other keys.
    ///   - substitute: returns the value for this one read if `make` needs itself. It gets the
    ///     names of the cycle: "Egg → Chicken → Egg".
    func value(
        of key: ValueKey, make: () -> any Sendable, substitute: (_ cycle: String) -> any Sendable
    ) -> any Sendable {
        if let value = made(key) { return value }
        // Identifies the task by its hash, because the task itself must not leave the closure.
        let task = withUnsafeCurrentTask { $0?.hashValue }
        let outer = outerMaker(of: task)
        switch graph.withLock({ $0.begin(key, by: outer) }) {
        case .made(let value): return value
        case .cycle(let names): return substitute(names.joined(separator: " → "))
        case .wait(let gate, let maker):
            // The gate is held while the value is made, and `graph` only for each step. So
            // threads that make other values go on.
            return gate.mutex.withLock { _ in
                // The thread before may have made the value while this one waited for the gate.
                if let value = graph.withLock({ $0.enter(key, by: maker) }) { return value }
                let making = CurrentInitializer(values: ObjectIdentifier(self), maker: maker, task: task)
                // Bound for the making alone: reads inside it are steps of this maker, and may
                // close a cycle.
                let value = Self.making.withValue(making, operation: make)
                graph.withLock { $0.finish(key, value, by: maker) }
                return value
            }
        }
    }

    /// Returns the value if it has been made.
    func made(_ key: ValueKey) -> (any Sendable)? { graph.withLock { $0.value(of: key) } }

    /// Stores a value that is not made here.
    ///
    /// - Returns: false if the key has a value or a thread is making one, unless `isReplacing` is
    ///   true.
    func put(_ value: any Sendable, at key: ValueKey, isReplacing: Bool) -> Bool {
        graph.withLock { $0.put(value, at: key, isReplacing: isReplacing) }
    }

    /// Returns the maker on whose stack this task runs; nil if there is none.
    ///
    /// A task started by a maker inherits its task-locals, but runs on its own stack. Its reads
    /// wait for the maker, and are not a cycle.
    private func outerMaker(of task: Int?) -> InitializationGraph.Initializer.ID? {
        guard let making = Self.making.get(), making.values == ObjectIdentifier(self), making.task == task else {
            return nil
        }
        return making.maker
    }
}

/// A key in a context.
struct ValueKey: Hashable, Sendable {
    /// `nonisolated(unsafe)`: only the identity and the name of the type are used.
    private nonisolated(unsafe) let key: any DependencyKey.Type
    private let context: DependencyContext

    init(_ key: any DependencyKey.Type, in context: DependencyContext) {
        self.key = key
        self.context = context
    }

    /// Computed, so that reads of a key do not create a string. Only failures need it.
    var name: String { String(describing: key) }

    static func == (a: Self, b: Self) -> Bool { a.key == b.key && a.context == b.context }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(key))
        hasher.combine(context)
    }
}
