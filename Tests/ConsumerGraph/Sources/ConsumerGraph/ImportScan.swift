/// One `import` declaration.
public struct Import: Sendable, Hashable {
    public let module: String
    public let line: Int
    public let isReexported: Bool
}

extension Import {
    /// Returns the imports of a source file, in all `#if` branches. Comments and string literals do
    /// not count.
    public static func scan(_ source: String) -> [Import] {
        // Attributes (with or without an argument), an access level, `import`, a kind, and the name
        // up to its first dot.
        let declaration =
            #/^\s*(?<before>(?:@\w+(?:\([^)]*\))?\s+)*)(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var|actor)\s+)?`?(?<module>\w+)/#
        var imports: [Import] = []
        var attributesAbove = ""
        for (index, line) in SourceText.withoutCommentsAndStrings(source).enumerated() {
            for statement in line.split(separator: ";") {
                if let match = statement.firstMatch(of: declaration) {
                    let attributes = attributesAbove + match.output.before
                    imports.append(
                        Import(
                            module: String(match.output.module), line: index + 1,
                            isReexported: attributes.contains("@_exported")
                        )
                    )
                    attributesAbove = ""
                } else if statement.contains(#/^\s*(@\w+(\([^)]*\))?\s*)+$/#) {
                    attributesAbove += statement
                } else if !statement.allSatisfy(\.isWhitespace) {
                    attributesAbove = ""
                }
            }
        }
        return imports
    }
}
