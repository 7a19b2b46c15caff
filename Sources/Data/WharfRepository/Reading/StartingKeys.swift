/// The keys whose new observers wait for a look.
struct StartingKeys<Key: Hashable & Sendable> {
    // Invariant: if a key waits, a task serves (`isServed`). The flag falls in the step that finds
    // none waiting.
    private var keys: Set<Key> = []
    private var isServed = false

    /// - Returns: whether a task has to be started that looks at the keys.
    mutating func insert(_ key: Key) -> Bool {
        keys.insert(key)
        defer { isServed = true }
        return !isServed
    }

    /// Removes the keys. An empty result ends the task that looks at them.
    mutating func take() -> [Key] {
        defer { keys = [] }
        isServed = !keys.isEmpty
        return Array(keys)
    }
}
