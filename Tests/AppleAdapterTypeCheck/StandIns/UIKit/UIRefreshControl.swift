public import Foundation

/// uicontrol: `@MainActor class UIControl`
@MainActor open class UIControl: UIView {
    /// uicontrol/event
    public struct Event: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// uicontrol/event/valuechanged
        public static var valueChanged: UIControl.Event { UIControl.Event(rawValue: 1 << 12) }
    }

    /// The last action that was added, for tests to perform.
    public private(set) var addedAction: UIAction?

    /// uicontrol/addaction(_:for:)
    open func addAction(_ action: UIAction, for controlEvents: UIControl.Event) { addedAction = action }
}

/// uirefreshcontrol: `@MainActor class UIRefreshControl`
@MainActor open class UIRefreshControl: UIControl {
    /// uirefreshcontrol/init()
    public init() { super.init(frame: .zero) }

    /// uirefreshcontrol/isrefreshing: `var isRefreshing: Bool { get }`
    open private(set) var isRefreshing = true
    /// uirefreshcontrol/endrefreshing()
    open func endRefreshing() { isRefreshing = false }
}

/// uiaction: `@MainActor class UIAction`. (UIMenuElement is left out.)
@MainActor open class UIAction: NSObject {
    public let handler: UIActionHandler

    /// uiaction/init(title:subtitle:image:selectedimage:identifier:discoverabilitytitle:attributes:state:handler:),
    /// whose other parameters have defaults
    public init(title: String = "", handler: @escaping UIActionHandler) { self.handler = handler }
}

/// uiactionhandler: `typealias UIActionHandler = (UIAction) -> Void`
public typealias UIActionHandler = @MainActor (UIAction) -> Void
