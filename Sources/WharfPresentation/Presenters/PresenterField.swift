/// One value of a presenter's state that the user can edit: reads the state, and tells the
/// presenter.
///
/// ```swift
/// let title = presenter.field(\.title) { $0.rename(to: $1) }
/// title.value = "Heat"                            // calls rename(to:)
/// TextField("Title", text: title.binding)         // SwiftUI
/// ```
///
/// The presenter decides what becomes of an edit. It may refuse it, and then the value stays as it
/// is. A field holds its presenter.
@MainActor
public struct PresenterField<Value> {
    private let read: @MainActor () -> Value
    private let edit: @MainActor (Value) -> Void

    init(read: @escaping @MainActor () -> Value, edit: @escaping @MainActor (Value) -> Void) {
        self.read = read
        self.edit = edit
    }

    /// The value in the present state. Setting it calls the presenter, also with an equal value.
    public var value: Value {
        get { read() }
        nonmutating set { edit(newValue) }
    }
}

extension Presenter {
    /// A value of the state, with the call by which the user edits it.
    ///
    /// The state itself stays read-only to views: each edit has a name in the screen's protocol.
    public func field<Value>(
        _ keyPath: KeyPath<State, Value>, edit: @escaping @MainActor (Self, Value) -> Void
    ) -> PresenterField<Value> {
        PresenterField { [self] in
            state[keyPath: keyPath]
        } edit: { [self] in
            edit(self, $0)
        }
    }
}
