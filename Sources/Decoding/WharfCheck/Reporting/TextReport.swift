/// A report for people, in the format of compiler messages.
///
/// Below each finding stands the part of the line; a count follows at the end.
struct TextReport: Report {
    let printsValues: Bool
    private var input = ""

    init(printsValues: Bool) {
        self.printsValues = printsValues
    }

    mutating func begin(_ output: Output) {}

    mutating func begin(_ input: String, _ output: Output) { self.input = input.singleLine }

    mutating func document(_ document: CheckedDocument, shown: [Finding], line: Int?, _ output: Output) throws {
        if let printed = document.printed { try output.write(printed + "\n") }
        for finding in shown { try output.write(text(finding)) }
    }

    private func text(_ finding: Finding) -> String {
        var lines = ["\(input):\(finding.location): \(finding.text.singleLine)"]
        if !finding.excerpt.text.isEmpty {
            lines += [
                "    " + finding.excerpt.text, "    " + String(repeating: " ", count: finding.excerpt.caret) + "^",
            ]
        }
        if let hint = finding.hint { lines.append("    \(hint)") }
        return lines.joined(separator: "\n") + "\n"
    }

    mutating func good(_ count: Int, _ output: Output) {}
    mutating func unread(_ reason: String, _ output: Output) {}
    mutating func end(_ output: Output) {}

    mutating func finish(_ totals: Totals, _ output: Output) throws {
        // If there are only values to print, the count would be noise.
        if printsValues, totals.exitCode == ExitCode.good, totals.counts.isEmpty { return }
        try output.write(totals.text + "\n")
    }
}

extension String {
    /// The text without line breaks and control characters, which could give orders to a terminal.
    var singleLine: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? " " : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
        }
    }
}
