/// The dependencies of a task, by ``DependencyKey``.
///
/// A value of this type is a scope. A copy in a property or a closure outlives the operation that
/// it comes from. Enter it again on any thread by ``withDependencies(from:_:operation:)``.
///
/// ```swift
/// let dependencies = Dependencies.current
/// queue.async {
///     withDependencies(from: dependencies) { refresh() }
/// }
/// ```
public struct Dependencies: Sendable {
    private var overrides: [ObjectIdentifier: Override] = [:]
    private let values: DefaultValues
    private var ownContext: DependencyContext?

    private struct Override: Sendable {
        /// `nonisolated(unsafe)`: only the identity and the name of the type are used.
        nonisolated(unsafe) let key: any DependencyKey.Type
        let value: any Sendable
    }

    package init(values: DefaultValues = .shared, context: DependencyContext? = nil) {
        self.values = values
        ownContext = context
    }

    package static let local = TaskLocal(wrappedValue: Dependencies())

    /// The dependencies of the running task.
    ///
    /// They are its overrides, and default values for all other keys.
    ///
    /// The default is ``DependencyKey/unimplemented`` in a test and ``LiveDependencyKey/live``
    /// elsewhere. A child task and a `Task { }` see the overrides of the task that starts them.
    /// `Task.detached`, a new thread and a dispatch queue don't: capture this value before, and
    /// enter it there by ``withDependencies(from:_:operation:)``.
    public static var current: Dependencies { local.get() }

    /// The context that chooses the values of keys without an override.
    ///
    /// Set it to read live values in a test, or preview values in an app:
    ///
    /// ```swift
    /// withDependencies { $0.context = .live } operation: { … }
    /// ```
    ///
    /// Live values are made once for the process, so tests that read them share them. The trait
    /// `.dependencies` of `WharfChecks` gives a test its own values.
    public var context: DependencyContext {
        get { ownContext ?? .ofProcess }
        set { ownContext = newValue }
    }

    /// Reads or overrides the value of a key.
    ///
    /// A read is a dictionary lookup and, without an override, another one under a lock.
    public subscript<Key: DependencyKey>(_ key: Key.Type) -> Key.Value {
        get {
            guard let override = overrides[ObjectIdentifier(key)] else { return values.value(of: key, in: context) }
            // Only the setter below stores overrides, with the value type of the same key.
            return override.value as! Key.Value
        }
        set { overrides[ObjectIdentifier(key)] = Override(key: key, value: newValue) }
    }

    /// Returns a copy with some dependencies replaced.
    ///
    /// Use it as the scope of an account, a window or a request: keep the copy, and enter it by
    /// ``withDependencies(from:_:operation:)``.
    public func overriding(_ override: (inout Dependencies) throws -> Void) rethrows -> Dependencies {
        var copy = self
        try override(&copy)
        return copy
    }

    /// A copy with the same overrides and context, and with fresh default values.
    package var withOwnValues: Dependencies {
        // The overrides are values and can be shared. Default values are made once, so another
        // scope needs another set.
        var copy = Dependencies(values: DefaultValues(), context: ownContext)
        copy.overrides = overrides
        return copy
    }

    /// A copy with the same default values and context, and without overrides.
    var withoutOverrides: Dependencies { Dependencies(values: values, context: ownContext) }

    /// Makes the overrides the default values of their keys.
    func prepare() {
        // A test does not read live values by accident, so preparing them is harmless there.
        let context: DependencyContext = context == .preview ? .preview : .live
        for override in overrides.values { values.prepare(override.key, override.value, in: context) }
    }
}
