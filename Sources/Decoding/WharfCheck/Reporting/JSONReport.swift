import WharfJSON

/// A report for programs: one object with the findings of each document, then the counts.
struct JSONReport: Report {
    let typeName: String
    private var input = ""
    private var isFirst = true
    private var unreadInputs: [(name: String, reason: String)] = []

    init(typeName: String) {
        self.typeName = typeName
    }

    mutating func begin(_ output: Output) throws {
        try output.write("{\"type\":\(typeName.json),\"documents\":[")
    }

    mutating func begin(_ input: String, _ output: Output) { self.input = input }

    mutating func document(_ document: CheckedDocument, shown: [Finding], line: Int?, _ output: Output) throws {
        guard !shown.isEmpty || document.printed != nil else { return }
        var fields = ["\"input\":\(input.json)"]
        if let line { fields.append("\"line\":\(line)") }
        if let printed = document.printed { fields.append("\"value\":\(printed.json)") }
        fields.append("\"findings\":[\(shown.map(Self.text).joined(separator: ","))]")
        try output.write((isFirst ? "\n" : ",\n") + "{\(fields.joined(separator: ","))}")
        isFirst = false
    }

    private static func text(_ finding: Finding) -> String {
        let place = finding.location
        let path = finding.path.steps.map { step in
            switch step {
            case .key(let key): key.json
            case .index(let index): "\(index)"
            }
        }
        var fields = [
            "\"kind\":\(finding.kind.name.json)", "\"isError\":\(finding.kind.isError)",
            "\"line\":\(place.line)", "\"column\":\(place.column)", "\"offset\":\(place.offset)",
            "\"path\":[\(path.joined(separator: ","))]", "\"message\":\(finding.message.json)",
            "\"excerpt\":\(finding.excerpt.text.json)",
        ]
        if let hides = finding.hides { fields.append("\"hides\":\(hides.json)") }
        return "{\(fields.joined(separator: ","))}"
    }

    mutating func good(_ count: Int, _ output: Output) {}
    mutating func unread(_ reason: String, _ output: Output) { unreadInputs.append((input, reason)) }
    mutating func end(_ output: Output) {}

    mutating func finish(_ totals: Totals, _ output: Output) throws {
        let counts = FindingKind.all.compactMap { kind in totals.counts[kind].map { "\(kind.name.json):\($0)" } }
        let unread = unreadInputs.map { "{\"input\":\($0.name.json),\"reason\":\($0.reason.json)}" }
        try output.write(
            (isFirst ? "" : "\n") + """
                ],"summary":{"documents":\(totals.documents),"wrongDocuments":\(totals.wrongDocuments),\
                "errors":\(totals.errors),"counts":{\(counts.joined(separator: ","))},"omitted":\(totals.omitted),\
                "unreadInputs":[\(unread.joined(separator: ","))]}}

                """)
    }
}

extension String {
    /// The string as JSON, with quotes.
    var json: String {
        // Encoding can't fail: every Swift string has a form in JSON.
        (try? JSON.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
