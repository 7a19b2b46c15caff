// Stand-ins for declarations of UIKit; see Package.swift. Each names the page that it is taken
// from, below https://developer.apple.com/documentation/uikit/. Classes are `open` as there; bodies
// do nothing.

// UIKit re-exports it.
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
