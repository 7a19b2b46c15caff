/// An element of an XML document, with names without prefixes.
///
/// Devices use different prefixes, and some do not declare theirs. So elements are found by their
/// local names.
struct Markup: Equatable {
    var name: String
    var attributes: [String: String] = [:]
    /// The text directly inside the element, without surrounding whitespace.
    var text = ""
    var children: [Markup] = []

    func child(_ name: String) -> Markup? { children.first { $0.name == name } }

    /// The text of a child; nil if there is no such child.
    subscript(name: String) -> String? { child(name)?.text }

    /// Returns the first element of this name in document order, including this one.
    func first(_ name: String) -> Markup? {
        if self.name == name { return self }
        for child in children {
            if let found = child.first(name) { return found }
        }
        return nil
    }
}
