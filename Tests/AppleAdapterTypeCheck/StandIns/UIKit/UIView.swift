// Stand-ins for declarations of UIKit; see Package.swift. Each comment names the page below
// https://developer.apple.com/documentation/uikit/ that declares it. Classes are `open` as in
// UIKit, and bodies do nothing.

// UIKit re-exports Foundation.
@_exported public import Foundation

/// uiview: `@MainActor class UIView`. (UIResponder is left out.)
@MainActor open class UIView: NSObject {
    /// uiview/init(frame:)
    public init(frame: CGRect) {}

    /// uiview/window: `var window: UIWindow? { get }`
    open var window: UIWindow? { nil }
}

/// uiwindow: `@MainActor class UIWindow`
@MainActor open class UIWindow: UIView {}

/// uiscrollview: `@MainActor class UIScrollView`
@MainActor open class UIScrollView: UIView {
    /// uiscrollview/refreshcontrol: `var refreshControl: UIRefreshControl? { get set }`
    open var refreshControl: UIRefreshControl?
}
