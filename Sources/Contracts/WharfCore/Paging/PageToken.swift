/// The start of a page in a list. A source returns it with the previous page.
public enum PageToken: Hashable, Sendable {
    /// The page starts after this number of items.
    case offset(Int)
    /// The page has this number, in the numbering of the service.
    case number(Int)
    /// An opaque cursor of the service.
    case cursor(String)
    /// The absolute URL of the page (RFC 8288).
    case link(String)
    /// The page starts after a position in the order of the query.
    case after(Cursor)
}
