/// dynamicproperty: `protocol DynamicProperty`
public protocol DynamicProperty {
    /// dynamicproperty/update()
    mutating func update()
}

extension DynamicProperty {
    public mutating func update() {}
}

/// state: `@frozen @propertyWrapper struct State<Value>`
@propertyWrapper public struct State<Value>: DynamicProperty {
    private let initial: Value

    /// state/init(wrappedvalue:)
    public init(wrappedValue: Value) { initial = wrappedValue }

    /// state/wrappedvalue
    public var wrappedValue: Value {
        get { initial }
        nonmutating set { onlyTypeChecked() }
    }

    /// state/projectedvalue
    public var projectedValue: Binding<Value> { onlyTypeChecked() }
}

extension State: Sendable where Value: Sendable {}

/// textfield/init(_:text:)-3g5q:
/// `nonisolated init<S>(_ title: S, text: Binding<String>) where S : StringProtocol`
public struct TextField: View {
    public nonisolated init<S: StringProtocol>(_ title: S, text: Binding<String>) {}
    public var body: Never { onlyTypeChecked() }
}
