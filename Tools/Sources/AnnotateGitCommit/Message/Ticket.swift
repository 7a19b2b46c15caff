/// A ticket in the form in which it is written into a message.
package struct Ticket: Hashable, Sendable {
    package enum Form: Hashable, Sendable {
        /// A line `KEY: ID` among the trailers (git-interpret-trailers(1)).
        case trailer(key: String)
        /// `ID: ` before the subject.
        case prefix
    }

    package let form: Form
    /// The ticket's text in the encoding of the message.
    let id: [UInt8]

    package init(_ form: Form, id: [UInt8]) {
        self.form = form
        self.id = id
    }

    /// The line that contains only the ticket, without trailing white space.
    var line: [UInt8] {
        switch form {
        case .trailer(let key): Array(key.utf8) + [.colon, .space] + id
        case .prefix: id + [.colon]
        }
    }
}

extension UInt8 {
    static let lineEnd = UInt8(ascii: "\n")
    static let tab = UInt8(ascii: "\t")
    static let space = UInt8(ascii: " ")
    static let colon = UInt8(ascii: ":")
    static let hyphen = UInt8(ascii: "-")

    /// Whether the byte is white space by C's `isspace`.
    var isSpace: Bool { self == .space || (9...13).contains(self) }

    var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
