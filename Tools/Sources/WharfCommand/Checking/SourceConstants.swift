import Foundation

/// The strings and whole numbers in sources, with which types may compare values.
enum SourceConstants {
    /// The maximum number of constants. Those next to a comparison come first.
    static let limit = 64

    /// Returns the distinct constants, in an order that depends only on the sources.
    static func found(in sources: [SourceFile]) -> [String] {
        var compared: [String] = []
        var others: [String] = []
        for source in sources {
            for line in String(decoding: source.contents, as: UTF8.self).split(whereSeparator: \.isNewline) {
                let text = line.drop { $0 == " " || $0 == "\t" }
                // The cases of an enumeration need no search.
                guard !text.hasPrefix("//"), !text.hasPrefix("case ") || text.contains(":") else { continue }
                let found = literals(in: text)
                let isCompared = text.hasPrefix("case ") || comparisons.contains { text.contains($0) }
                if isCompared { compared += found } else { others += found }
            }
        }
        var known: Set<String> = []
        return Array((compared + others).filter { known.insert($0).inserted }.prefix(limit))
    }

    private static let comparisons = ["==", "!=", "<", ">", "~=", ".contains(", ".hasPrefix(", ".hasSuffix("]

    /// Returns the literals of a line without escapes, which would have to be resolved.
    private static func literals(in line: Substring) -> [String] {
        var found: [String] = []
        for (index, part) in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
            if index % 2 == 0 {
                found += part.split { !$0.isNumber && !$0.isLetter && $0 != "_" && $0 != "." }.filter { Int($0) != nil }
                    .map(String.init)
            } else if !part.isEmpty, part.utf8.count <= 100, !part.contains("\\") {
                found.append(String(part))
            }
        }
        return found
    }
}
