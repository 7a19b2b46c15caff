/// The values of keys without an override. Each is made once per context.
package final class DefaultValues: Sendable {
    package static let shared = DefaultValues()

    private let values = OnceValues()

    package init() {}

    func value<Key: DependencyKey>(of key: Key.Type, in context: DependencyContext) -> Key.Value {
        let valueKey = ValueKey(key, in: context)
        // Checked before the conformances, because a prepared value needs none.
        if let value = values.made(valueKey) { return cast(value) }
        guard let make = Self.maker(of: key, in: context) else {
            fail(
                "\(key) has no live value; conform it to LiveDependencyKey where the app is composed, "
                    + "or override it: withDependencies { $0[\(key).self] = … }")
            return value(of: key, in: .test)
        }
        let value = values.value(of: valueKey) {
            // Made without the overrides, because this value outlives them.
            Dependencies.local.withValue(Dependencies(values: self, context: context), operation: make)
        } substitute: { cycle in
            substitute(for: key, in: context, cycle)
        }
        return cast(value)
    }

    /// Stores the value of a key, as if it had been made.
    func prepare(_ key: any DependencyKey.Type, _ value: any Sendable, in context: DependencyContext) {
        let isStored = values.put(value, at: ValueKey(key, in: context), isReplacing: context == .preview)
        guard !isStored else { return }
        fail(
            "\(key) was prepared after it had been read or prepared, so it keeps its value; prepare it earlier, "
                + "or override it: withDependencies { $0[\(key).self] = … }")
    }

    private static func maker<Key: DependencyKey>(
        of key: Key.Type, in context: DependencyContext
    ) -> (() -> any Sendable)? {
        // No conformance is looked up here, so a test never touches a live value by accident.
        if context == .test { return { Key.unimplemented } }
        if context == .preview, let previewKey = key as? any PreviewDependencyKey.Type {
            return { preview(previewKey) }
        }
        guard let liveKey = key as? any LiveDependencyKey.Type else { return nil }
        return { live(liveKey) }
    }

    private static func live<Key: LiveDependencyKey>(_ key: Key.Type) -> any Sendable { Key.live }
    private static func preview<Key: PreviewDependencyKey>(_ key: Key.Type) -> any Sendable { Key.preview }

    private func substitute<Key: DependencyKey>(
        for key: Key.Type, in context: DependencyContext, _ cycle: String
    ) -> any Sendable {
        let message =
            "the \(context == .test ? "unimplemented" : "\(context)") value of \(key) needs itself: \(cycle); "
            + "read one of these dependencies where it is used, and not where the other is made"
        // The unimplemented value is the substitute of last resort, and here it needs itself.
        if context == .test { preconditionFailure(message) }
        fail(message)
        return value(of: key, in: .test)
    }

    /// Each value is stored under its own key, so the cast succeeds.
    private func cast<Value>(_ value: any Sendable) -> Value { value as! Value }

    private func fail(_ message: String) { FailureReporting.current.fail(message, FailurePlace()) }
}
