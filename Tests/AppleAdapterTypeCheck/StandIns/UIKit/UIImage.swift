public import Foundation

/// uiimage: `class UIImage`, which is Sendable
open class UIImage: NSObject, @unchecked Sendable {
    /// uiimage/init(data:)
    public init?(data: Data) { nil }

    /// uiimage/preparingfordisplay()
    open func preparingForDisplay() -> UIImage? { nil }
}
