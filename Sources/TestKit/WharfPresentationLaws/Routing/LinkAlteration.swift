internal import WharfChecks

/// A change of a link's text that makes a different link.
///
/// It reaches links that belong to no generated route.
struct LinkAlteration: Sendable, CustomStringConvertible {
    private let place: Int
    private let removes: Bool
    private let text: String

    static let any = Generator<LinkAlteration> { choices in
        LinkAlteration(
            place: try choices.draw(.int(in: 0...200)), removes: try choices.draw(.bool),
            text: try choices.draw(
                .element(of: [
                    "", "A", "a", "0", "00", "-", "+", "%20", "%2F", "/", ".", "=", "&", "?", "#", "x=1&", "%C3%89",
                ])))
    }

    /// Returns the link with the change made behind its scheme and host.
    func change(_ link: String) -> String {
        var scalars = Array(link.unicodeScalars)
        // Three slashes in: after `scheme://host/`.
        let start = link.unicodeScalars.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropLast()
            .reduce(0) { $0 + $1.count + 1 }
        let length = scalars.count - start
        guard length >= 0 else { return link }
        let index = start + place % (length + 1)
        scalars.replaceSubrange(index..<min(index + (removes ? 1 : 0), scalars.count), with: text.unicodeScalars)
        var changed = String.UnicodeScalarView()
        changed.append(contentsOf: scalars)
        return String(changed)
    }

    var description: String { "with \(text.debugDescription) \(removes ? "in the place of" : "before") byte \(place)" }
}
