internal import Synchronization

/// The live values of a process, each made when it is first read.
package final class LiveValues: Sendable {
    package static let shared = LiveValues()

    private let made = Mutex<[ObjectIdentifier: any Sendable]>([:])

    package init() {}

    /// The keys whose values this task is about to make, the outermost first.
    @TaskLocal private static var making: [Step] = []

    private struct Step: Sendable, Equatable {
        let key: ObjectIdentifier
        let name: String

        init(_ key: any DependencyKey.Type) {
            self.key = ObjectIdentifier(key)
            name = String(describing: key)
        }
    }

    func value<Key: DependencyKey>(of key: Key.Type) -> Key.Value {
        if FailureReporting.current.isTesting() { return Key.unimplemented }
        if let value = made.withLock({ $0[ObjectIdentifier(key)] }) { return cast(value) }
        guard let liveKey = key as? any LiveDependencyKey.Type else {
            fail(
                "\(key) has no live value; conform it to LiveDependencyKey where the app is composed, "
                    + "or override it: withDependencies { $0[\(key).self] = … }")
            return Key.unimplemented
        }
        let step = Step(key)
        let steps = Self.making + [step]
        guard !Self.making.contains(step) else {
            let cycle = steps.drop { $0 != step }.map(\.name).joined(separator: " → ")
            fail(
                "the live value of \(key) needs itself: \(cycle); read one of them when it is called, "
                    + "not when the other is made")
            return Key.unimplemented
        }
        // Without the overrides: they end, and this value stays.
        let value = Dependencies.$scope.withValue(Dependencies(live: self)) {
            Self.$making.withValue(steps) { Self.live(liveKey) }
        }
        return made.withLock { made in
            if let first = made[step.key] { return cast(first) }
            made[step.key] = value
            return cast(value)
        }
    }

    private static func live<Key: LiveDependencyKey>(_ key: Key.Type) -> any Sendable { Key.live }

    /// Values lie under their own keys.
    private func cast<Value>(_ value: any Sendable) -> Value { value as! Value }

    private func fail(_ message: String, filePath: StaticString = #filePath, line: UInt = #line) {
        FailureReporting.current.fail(message, filePath, line)
    }
}
