/// The dependencies of a task, by ``DependencyKey``.
public struct Dependencies: Sendable {
    private var overrides: [ObjectIdentifier: any Sendable] = [:]
    private let live: LiveValues

    package init(live: LiveValues = .shared) {
        self.live = live
    }

    package static let local = TaskLocal(wrappedValue: Dependencies())

    /// Those of the running task: what ``withDependencies(_:operation:)`` overrides around it, and live values for the rest.
    ///
    /// In a test what is not overridden is unimplemented. A child task and a `Task { }` see the overrides of the task that starts
    /// them; `Task.detached`, a new thread and a dispatch queue don't, so read what they need before and hand it over.
    public static var current: Dependencies { local.get() }

    /// Reading is a dictionary's access and, where nothing is overridden, another one under a lock.
    public subscript<Key: DependencyKey>(_ key: Key.Type) -> Key.Value {
        get {
            guard let value = overrides[ObjectIdentifier(key)] else { return live.value(of: key) }
            // Only the setter below writes there, by the same key.
            return value as! Key.Value
        }
        set { overrides.updateValue(newValue, forKey: ObjectIdentifier(key)) }
    }
}

/// Runs an operation with some dependencies replaced, for it and for what it calls. Other tasks see nothing of it, so that tests can
/// run in parallel.
///
/// ```swift
/// try await withDependencies {
///     $0[ProfileReading.self] = .unimplemented.overriding(readProfile: { _ in .ann })
/// } operation: {
///     try await Header().load()
/// }
/// ```
public func withDependencies<Result>(
    _ override: (inout Dependencies) -> Void, operation: () throws -> Result
) rethrows -> Result {
    var dependencies = Dependencies.current
    override(&dependencies)
    return try Dependencies.local.withValue(dependencies, operation: operation)
}

/// The same for an asynchronous operation.
public nonisolated(nonsending) func withDependencies<Result>(
    _ override: (inout Dependencies) -> Void, operation: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
    var dependencies = Dependencies.current
    override(&dependencies)
    return try await Dependencies.local.withValue(dependencies, operation: operation)
}
