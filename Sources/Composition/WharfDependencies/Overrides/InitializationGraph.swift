internal import Synchronization

/// The values that have been made, and the wait-for graph of threads making others.
///
/// Invariant: the graph has no cycle. Its edges lead from a maker to the key that it waits for, and
/// from a key to the maker that holds its gate. Only ``begin(_:by:)`` adds an edge that could close
/// a cycle, because a maker that enters a gate waits for nothing.
struct InitializationGraph: Sendable {
    /// A mutex that is held while the value of one key is made.
    final class Gate: Sendable {
        let mutex = Mutex(())
    }

    /// A stack of values that one thread makes, each needed by the one before it.
    struct Initializer: Sendable {
        typealias ID = Int

        var steps: [ValueKey] = []
        var awaited: ValueKey?
    }

    enum BeginResult: Sendable {
        case made(any Sendable)
        case cycle([String])
        case wait(Gate, by: Initializer.ID)
    }

    private struct Entry: Sendable {
        let gate = Gate()
        var value: (any Sendable)?
        var maker: Initializer.ID?
    }

    // Invariants when the lock is free:
    // - A key has a `maker` only while its gate is held.
    // - A maker exists while it has a step or waits for a key, and waits for one key at most.
    private var entries: [ValueKey: Entry] = [:]
    private var makers: [Initializer.ID: Initializer] = [:]
    /// The last id. Ids are never reused: a task that outlives its maker must not be taken for
    /// another maker.
    private var lastMaker = 0

    func value(of key: ValueKey) -> (any Sendable)? { entries[key]?.value }

    mutating func put(_ value: any Sendable, at key: ValueKey, isReplacing: Bool) -> Bool {
        var entry = entries[key] ?? Entry()
        // A value that is being made counts as read: its maker would overwrite the prepared one.
        guard isReplacing || (entry.value == nil && entry.maker == nil) else { return false }
        entry.value = value
        entries[key] = entry
        return true
    }

    /// Decides how a read continues. If it has to wait, records that the maker waits for the gate.
    ///
    /// - Parameter outer: the maker whose work reads the key; nil if there is none.
    mutating func begin(_ key: ValueKey, by outer: Initializer.ID?) -> BeginResult {
        let entry = entries[key] ?? Entry()
        if let value = entry.value { return .made(value) }
        entries[key] = entry
        // A finished maker may have left its id in the task-locals of a task that it had started.
        let known = outer.flatMap { makers[$0] == nil ? nil : $0 }
        if let known, let cycle = cycle(from: key, to: known) { return .cycle(cycle) }
        // The edge to the gate is added before the gate is waited for. A thread that checks for a
        // cycle in between must see it.
        let maker = known ?? newMaker()
        makers[maker]?.awaited = key
        return .wait(entry.gate, by: maker)
    }

    /// Returns the value if another thread has made it meanwhile. Otherwise this maker has to make
    /// it.
    mutating func enter(_ key: ValueKey, by maker: Initializer.ID) -> (any Sendable)? {
        // The gate is held now, so this maker waits for nothing.
        makers[maker]?.awaited = nil
        if let value = entries[key]?.value {
            forgetIfIdle(maker)
            return value
        }
        entries[key]?.maker = maker
        makers[maker]?.steps.append(key)
        return nil
    }

    mutating func finish(_ key: ValueKey, _ value: any Sendable, by maker: Initializer.ID) {
        entries[key]?.value = value
        entries[key]?.maker = nil
        makers[maker]?.steps.removeLast()
        forgetIfIdle(maker)
    }

    private mutating func newMaker() -> Initializer.ID {
        lastMaker += 1
        makers[lastMaker] = Initializer()
        return lastMaker
    }

    private mutating func forgetIfIdle(_ maker: Initializer.ID) {
        if makers[maker]?.steps.isEmpty ?? false { makers[maker] = nil }
    }

    /// Returns the cycle that a maker would close by waiting for a key; nil if none.
    private func cycle(from key: ValueKey, to maker: Initializer.ID) -> [String]? {
        var names: [String] = []
        var next = key
        while let owner = entries[next]?.maker, let other = makers[owner] {
            // Only the steps from `next` on need this key. Earlier ones are not part of the cycle.
            names += other.steps.drop { $0 != next }.map(\.name)
            if owner == maker { return names + [key.name] }
            guard let awaited = other.awaited else { return nil }
            next = awaited
        }
        return nil
    }
}
