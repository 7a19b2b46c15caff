/// A regular expression that finds a ticket in the name of a branch.
///
/// The ticket is the text of its one capture group.
///
/// The dialect is that of Swift's `Regex`: nearly all of PCRE, without lookbehind.
package struct TicketPattern {
    /// The default pattern, which finds ABC-123 in `feature/ABC-123-title`.
    package static let standard = "([A-Z][A-Z0-9]+-[0-9]+)"

    let source: String
    private let regex: Regex<AnyRegexOutput>

    /// - Throws: ``AnnotationError`` of code `usage` if `source` is not a regular expression, or
    ///   does not have exactly one capture group.
    package init(_ source: String) throws(AnnotationError) {
        self.source = source
        regex = try Self.compiled(source, of: source)
        // An empty alternative makes the expression match anything. The match lists all groups,
        // including those without text, so they can be counted.
        let anything = try Self.compiled("|" + source, of: source)
        let count = (try Self.match(anything, "", of: source)?.count ?? 1) - 1
        guard count == 1 else {
            let found = count == 0 ? "none" : "\(count)"
            let advice =
                count == 0
                ? "put the part that is the ticket in parentheses, as in '\(Self.standard)'"
                : "write the groups that are not the ticket as (?:…)"
            throw AnnotationError(
                .usage,
                "expected exactly one capture group in the regular expression '\(source)', found \(found); \(advice)")
        }
    }

    /// Returns the ticket of the first match; nil without a match, or if the group is empty.
    ///
    /// - Throws: ``AnnotationError`` if the ticket has control characters and so may not be one
    ///   line.
    package func ticket(in branch: String) throws(AnnotationError) -> String? {
        guard let ticket = try Self.match(regex, branch, of: source)?[1].substring, !ticket.isEmpty else { return nil }
        guard ticket.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw AnnotationError(
                .usage,
                "expected a ticket without control characters, found \(ticket.debugDescription); let the group match less"
            )
        }
        return String(ticket)
    }

    private static func match(
        _ regex: Regex<AnyRegexOutput>, _ text: String, of source: String
    ) throws(AnnotationError) -> AnyRegexOutput? {
        do {
            return try TimeLimit.limited { try regex.firstMatch(in: text)?.output }
        } catch {
            throw AnnotationError(.usage, "the regular expression '\(source)' can't be used: \(error)")
        }
    }

    private static func compiled(_ text: String, of source: String) throws(AnnotationError) -> Regex<AnyRegexOutput> {
        do {
            return try Regex(text)
        } catch {
            throw AnnotationError(
                .usage,
                "expected a regular expression, found '\(source)', which is invalid\(place(of: error, in: text)): \(error)"
            )
        }
    }

    /// Returns the place of an error, which the standard library exposes only through reflection.
    private static func place(of error: any Error, in text: String) -> String {
        for child in Mirror(reflecting: error).children where child.label == "location" {
            for part in Mirror(reflecting: child.value).children {
                guard let range = part.value as? Range<String.Index> else { continue }
                guard range.lowerBound <= text.endIndex else { continue }
                return " at character \(text.distance(from: text.startIndex, to: range.lowerBound) + 1)"
            }
        }
        return ""
    }
}
