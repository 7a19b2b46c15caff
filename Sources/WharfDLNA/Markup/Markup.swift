/// An element of an XML document, its names without their prefixes.
///
/// Devices disagree on prefixes, and some forget to declare theirs, so elements are found by their
/// local names.
struct Markup: Equatable {
    var name: String
    var attributes: [String: String] = [:]
    /// All text directly inside, without the white space around it.
    var text = ""
    var children: [Markup] = []

    func child(_ name: String) -> Markup? { children.first { $0.name == name } }

    /// The text of a child; nil where there is none.
    subscript(name: String) -> String? { child(name)?.text }

    /// The first of that name in document order, this element included.
    func first(_ name: String) -> Markup? {
        if self.name == name { return self }
        for child in children {
            if let found = child.first(name) { return found }
        }
        return nil
    }
}
