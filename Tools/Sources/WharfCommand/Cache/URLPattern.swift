/// A part of a URL, in which `*` stands for any characters.
struct URLPattern: Sendable {
    /// The texts between the stars, in order.
    private let parts: [String]

    init(_ text: String) {
        parts = text.split(separator: "*").map(String.init)
    }

    /// Returns whether the URL contains the parts one after the other.
    func matches(_ url: String) -> Bool {
        var rest = url[...]
        for part in parts {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }
}
