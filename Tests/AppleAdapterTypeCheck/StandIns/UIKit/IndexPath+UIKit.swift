public import Foundation

// https://developer.apple.com/documentation/foundation/indexpath, as UIKit extends it.
extension IndexPath {
    /// indexpath/init(row:section:)
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
    /// indexpath/init(item:section:)
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    /// indexpath/section: `var section: Int { get set }`
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }

    /// indexpath/row: `var row: Int { get set }`
    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    /// indexpath/item: `var item: Int { get set }`
    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
}
