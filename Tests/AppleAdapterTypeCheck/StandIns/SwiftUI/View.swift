// Stand-ins for declarations of SwiftUI; see Package.swift. Each comment names the page below
// https://developer.apple.com/documentation/swiftui/ that declares it. The code is never run.

func onlyTypeChecked() -> Never { preconditionFailure("a stand-in of SwiftUI is compiled, and never run") }

/// view: `@MainActor @preconcurrency public protocol View`
@MainActor @preconcurrency public protocol View {
    associatedtype Body: View

    /// view/body-8kl5o
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
    public var body: Never { onlyTypeChecked() }
}

extension Optional: View where Wrapped: View {
    public var body: Never { onlyTypeChecked() }
}

/// emptyview
public struct EmptyView: View {
    public var body: Never { onlyTypeChecked() }
}

/// tupleview
public struct TupleView<Content>: View {
    public var body: Never { onlyTypeChecked() }
}

/// text/init(_:)-9d1g4: `init<S>(_ content: S) where S : StringProtocol`
public struct Text: View {
    public init<S: StringProtocol>(_ content: S) {}
    public var body: Never { onlyTypeChecked() }
}

/// _conditionalcontent
public struct _ConditionalContent<TrueContent, FalseContent> {}

extension _ConditionalContent: View where TrueContent: View, FalseContent: View {
    public var body: Never { onlyTypeChecked() }
}

/// viewbuilder
@resultBuilder public struct ViewBuilder {
    /// viewbuilder/buildblock(_:)
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    /// viewbuilder/buildblock(_:)
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> { TupleView() }
    /// viewbuilder/buildeither(first:)
    public static func buildEither<First: View, Second: View>(
        first: First
    ) -> _ConditionalContent<First, Second> { _ConditionalContent() }
    /// viewbuilder/buildeither(second:)
    public static func buildEither<First: View, Second: View>(
        second: Second
    ) -> _ConditionalContent<First, Second> { _ConditionalContent() }
    /// viewbuilder/buildif(_:)
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

/// binding: `@frozen @propertyWrapper @dynamicMemberLookup struct Binding<Value>`
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    /// binding/init(get:set:)-7ufcp
    @preconcurrency public init(
        get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) {}

    /// binding/wrappedvalue
    public var wrappedValue: Value {
        get { onlyTypeChecked() }
        nonmutating set { onlyTypeChecked() }
    }

    /// binding/projectedvalue: `var projectedValue: Binding<Value> { get }`
    public var projectedValue: Binding<Value> { self }

    /// binding/subscript(dynamicmember:)
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        onlyTypeChecked()
    }
}
