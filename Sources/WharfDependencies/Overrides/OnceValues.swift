internal import Synchronization

/// Values of which each is made once, by the first thread that reads it.
///
/// Other threads wait for the value while it is made. Values of other keys are read and made
/// meanwhile. A value whose making needs itself is a cycle, also when two threads make two values
/// that need each other: the read that would close the cycle gets a substitute and waits for
/// nothing.
final class OnceValues: Sendable {
    private let makings = Mutex(Makings())

    private static let making = TaskLocal<Making?>(wrappedValue: nil)

    /// The maker on whose stack this task runs.
    private struct Making: Sendable {
        let values: ObjectIdentifier
        let maker: Makings.Maker.ID
        let task: Int?
    }

    /// Returns the value, and makes it first if no thread has made it.
    ///
    /// - Parameters:
    ///   - make: runs without a lock on other keys.
    ///   - substitute: the value of this read alone if `make` needs itself. It gets the cycle by
    ///     its names: "Egg → Chicken → Egg".
    func value(
        of key: ValueKey, make: () -> any Sendable, substitute: (_ cycle: String) -> any Sendable
    ) -> any Sendable {
        if let value = made(key) { return value }
        // Tells one task from another. The task itself must not leave the closure.
        let task = withUnsafeCurrentTask { $0?.hashValue }
        let outer = outerMaker(of: task)
        switch makings.withLock({ $0.begin(key, by: outer) }) {
        case .made(let value): return value
        case .cycle(let names): return substitute(names.joined(separator: " → "))
        case .wait(let gate, let maker):
            return gate.mutex.withLock { _ in
                if let value = makings.withLock({ $0.enter(key, by: maker) }) { return value }
                let making = Making(values: ObjectIdentifier(self), maker: maker, task: task)
                let value = Self.making.withValue(making, operation: make)
                makings.withLock { $0.finish(key, value, by: maker) }
                return value
            }
        }
    }

    /// The value if it is there.
    func made(_ key: ValueKey) -> (any Sendable)? { makings.withLock { $0.value(of: key) } }

    /// Stores a value that is not made here.
    ///
    /// - Returns: false if the key has a value or a thread makes one, unless `isReplacing`.
    func put(_ value: any Sendable, at key: ValueKey, isReplacing: Bool) -> Bool {
        makings.withLock { $0.put(value, at: key, isReplacing: isReplacing) }
    }

    /// A task that a making has started inherits its task-locals, but runs on a stack of its own:
    /// its reads wait for the making and are no cycle.
    private func outerMaker(of task: Int?) -> Makings.Maker.ID? {
        guard let making = Self.making.get(), making.values == ObjectIdentifier(self), making.task == task else {
            return nil
        }
        return making.maker
    }
}

/// A key in a context.
struct ValueKey: Hashable, Sendable {
    /// Unchecked: only its identity and its name are used.
    private nonisolated(unsafe) let key: any DependencyKey.Type
    private let context: DependencyContext

    init(_ key: any DependencyKey.Type, in context: DependencyContext) {
        self.key = key
        self.context = context
    }

    /// Made when a failure needs it: a read of a key makes no string.
    var name: String { String(describing: key) }

    static func == (a: Self, b: Self) -> Bool { a.key == b.key && a.context == b.context }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(key))
        hasher.combine(context)
    }
}
