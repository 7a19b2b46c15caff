/// Where a page of a list begins: what a source gives with one page and is given for the next.
public enum PageToken: Hashable, Sendable {
    /// Behind this many items.
    case offset(Int)
    /// The page of this number, as the service counts.
    case number(Int)
    /// A text of the service, without a meaning for anybody else.
    case cursor(String)
    /// The absolute URL of the page (RFC 8288).
    case link(String)
    /// Behind a place in the order of the query.
    case after(Cursor)
}
