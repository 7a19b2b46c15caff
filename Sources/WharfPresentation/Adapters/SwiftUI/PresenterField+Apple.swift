#if canImport(SwiftUI)
public import SwiftUI

extension PresenterField {
    /// A binding to the value: `TextField("Title", text: presenter.field(\.title) { … }.binding)`.
    ///
    /// The value is read here too, because SwiftUI does not observe for the view what a binding
    /// reads later.
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
