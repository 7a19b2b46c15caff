/// The live values of a process, each made when it is first read. They are few: a list that grows at its end, searched in linear time.
package final class LiveValues: Sendable {
    package static let shared = LiveValues()

    private let first = FirstStored<Made>()

    package init() {}

    private final class Made: Sendable {
        let key: ObjectIdentifier
        let value: any Sendable
        let next = FirstStored<Made>()

        init(_ key: ObjectIdentifier, _ value: any Sendable) {
            self.key = key
            self.value = value
        }
    }

    /// The keys whose values this task is about to make, the outermost first.
    private static let making = TaskLocal<[Step]>(wrappedValue: [])

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
        if let value = find(ObjectIdentifier(key)) { return cast(value) }
        guard let liveKey = key as? any LiveDependencyKey.Type else {
            fail(
                "\(key) has no live value; conform it to LiveDependencyKey where the app is composed, "
                    + "or override it: withDependencies { $0[\(key).self] = … }")
            return Key.unimplemented
        }
        let step = Step(key)
        let outer = Self.making.get()
        let steps = outer + [step]
        guard !outer.contains(step) else {
            let cycle = steps.drop { $0 != step }.map(\.name).joined(separator: " → ")
            fail(
                "the live value of \(key) needs itself: \(cycle); read one of them when it is called, "
                    + "not when the other is made")
            return Key.unimplemented
        }
        // Without the overrides: they end, and this value stays.
        let value = Dependencies.local.withValue(Dependencies(live: self)) {
            Self.making.withValue(steps) { Self.live(liveKey) }
        }
        return cast(add(Made(step.key, value)))
    }

    private func find(_ key: ObjectIdentifier) -> (any Sendable)? {
        var place = first
        while let made = place.value {
            if made.key == key { return made.value }
            place = made.next
        }
        return nil
    }

    /// The value that is kept: this one, or another's that was there first.
    private func add(_ new: Made) -> any Sendable {
        var place = first
        while true {
            let made = place.store(new)
            if made.key == new.key { return made.value }
            place = made.next
        }
    }

    private static func live<Key: LiveDependencyKey>(_ key: Key.Type) -> any Sendable { Key.live }

    /// Values lie under their own keys.
    private func cast<Value>(_ value: any Sendable) -> Value { value as! Value }

    private func fail(_ message: String) { FailureReporting.current.fail(message, FailurePlace()) }
}
