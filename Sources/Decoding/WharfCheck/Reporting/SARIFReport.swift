/// A report for code scanning in SARIF 2.1.0 (OASIS), which GitHub and others show beside the file.
struct SARIFReport: Report {
    private var input = ""
    private var isFirst = true
    private var unread: [(name: String, reason: String)] = []

    mutating func begin(_ output: Output) throws {
        let rules = FindingKind.all.map { kind in
            """
            {"id":\(kind.name.json),"shortDescription":{"text":\(kind.meaning.json)},\
            "defaultConfiguration":{"level":"\(kind.level)"}}
            """
        }
        try output.write(
            """
            {"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":{\
            "name":"wharf check","informationUri":"https://github.com/wharf-swift/wharf","rules":[
            \(rules.joined(separator: ",\n"))
            ]}},"columnKind":"unicodeCodePoints","results":[
            """)
    }

    mutating func begin(_ input: String, _ output: Output) { self.input = input }

    mutating func document(_ document: CheckedDocument, shown: [Finding], line: Int?, _ output: Output) throws {
        for finding in shown {
            try output.write((isFirst ? "\n" : ",\n") + text(finding))
            isFirst = false
        }
    }

    private func text(_ finding: Finding) -> String {
        let message = [finding.text, finding.hint].compactMap(\.self).joined(separator: "; ")
        let place = finding.location
        let context =
            finding.excerpt.text.isEmpty
            ? ""
            : ",\"contextRegion\":{\"startLine\":\(place.line),\"snippet\":{\"text\":\(finding.excerpt.text.json)}}"
        let index = FindingKind.all.firstIndex(of: finding.kind).map { ",\"ruleIndex\":\($0)" } ?? ""
        return """
            {"ruleId":\(finding.kind.name.json)\(index),"level":"\(finding.kind.level)",\
            "message":{"text":\(message.json)},"locations":[{"physicalLocation":{\
            "artifactLocation":{"uri":\(Self.reference(to: input).json)},\
            "region":{"startLine":\(place.line),"startColumn":\(place.column)}\(context)},\
            "logicalLocations":[{"fullyQualifiedName":\(finding.path.description.json)}]}]}
            """
    }

    mutating func good(_ count: Int, _ output: Output) {}
    mutating func unread(_ reason: String, _ output: Output) { unread.append((input, reason)) }
    mutating func end(_ output: Output) {}

    mutating func finish(_ totals: Totals, _ output: Output) throws {
        let troubles = unread.map { input in
            """
            {"level":"error","message":{"text":\("'\(input.name)' could not be read: \(input.reason)".json)}}
            """
        }
        try output.write(
            """
            \(isFirst ? "" : "\n")],"invocations":[{"executionSuccessful":\(unread.isEmpty),\
            "toolExecutionNotifications":[\(troubles.joined(separator: ","))]}],\
            "properties":{"documents":\(totals.documents),"errors":\(totals.errors),"omitted":\(totals.omitted)}}]}

            """)
    }

    /// Returns a file name as a relative or absolute reference (RFC 3986 §4.2).
    static func reference(to name: String) -> String {
        let lower = name.lowercased()
        if lower.hasPrefix("http://") || lower.hasPrefix("https://") { return encoded(name, keeping: "%?#[]:") }
        // A colon in the first segment would be read as the end of a scheme.
        let path = encoded(name, keeping: name.hasPrefix("/") ? ":" : "")
        return name.hasPrefix("/") ? "file://" + path : path
    }

    private static func encoded(_ text: String, keeping extra: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!$&'()*+,;=@\(extra)".utf8)
        return text.utf8.reduce(into: "") { result, byte in
            let hex = String(byte, radix: 16, uppercase: true)
            result += plain.contains(byte) ? String(UnicodeScalar(byte)) : "%" + (hex.count < 2 ? "0" : "") + hex
        }
    }
}

extension FindingKind {
    fileprivate var level: String { isError ? "error" : "note" }
}
