/// One editable value of a presenter's state.
///
/// Reading it reads the state. Setting it calls the presenter.
///
/// ```swift
/// let title = presenter.field(\.title) { $0.rename(to: $1) }
/// title.value = "Heat"                            // calls rename(to:)
/// TextField("Title", text: title.binding)         // SwiftUI
/// ```
///
/// The presenter decides on each edit. If it refuses one, the value stays unchanged. A field
/// retains its presenter.
@MainActor
public struct PresenterField<Value> {
    private let read: @MainActor () -> Value
    private let edit: @MainActor (Value) -> Void

    init(read: @escaping @MainActor () -> Value, edit: @escaping @MainActor (Value) -> Void) {
        self.read = read
        self.edit = edit
    }

    /// The value in the current state. Setting it calls the presenter, even with an equal value.
    public var value: Value {
        get { read() }
        nonmutating set { edit(newValue) }
    }
}

extension Presenter {
    /// Returns a value of the state together with the call that edits it.
    ///
    /// The state stays read-only to views: each edit has a name in the screen's protocol.
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
