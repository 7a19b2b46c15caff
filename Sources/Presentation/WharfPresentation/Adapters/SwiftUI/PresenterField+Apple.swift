#if canImport(SwiftUI)
public import SwiftUI

extension PresenterField {
    /// A binding to the value, for controls of SwiftUI.
    ///
    /// For example `TextField("Title", text: presenter.field(\.title) { … }.binding)`.
    ///
    /// The value is read here too: SwiftUI does not track a read that a binding makes later.
    public var binding: Binding<Value> {
        _ = value
        return Binding { @MainActor [self] in
            value
        } set: { @MainActor [self] in
            value = $0
        }
    }
}
#endif
