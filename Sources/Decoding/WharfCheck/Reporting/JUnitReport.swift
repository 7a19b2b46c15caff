/// A report for CI: each input is a suite, each document a test.
///
/// If lines are documents, those without errors make one test together.
struct JUnitReport: Report {
    private struct Suite {
        var name: String
        var tests = 0
        var failures = 0
        var errors = 0
        var cases = ""
        var good = 0
        var printed: [String] = []
        var printedBytes = 0
    }

    let typeName: String
    private var suite = Suite(name: "")

    init(typeName: String) {
        self.typeName = typeName
    }

    mutating func begin(_ output: Output) throws {
        try output.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\(typeName.attribute)>\n")
    }

    mutating func begin(_ input: String, _ output: Output) { suite = Suite(name: input) }

    mutating func document(_ document: CheckedDocument, shown: [Finding], line: Int?, _ output: Output) throws {
        if let printed = document.printed {
            suite.printed.append(printed)
            suite.printedBytes += printed.utf8.count
        }
        guard document.hasErrors else { return try endWhatIsLarge(output) }
        suite.tests += 1
        suite.failures += 1
        let name = line.map { "\(suite.name):\($0)" } ?? suite.name
        suite.cases += "  <testcase classname=\(typeName.attribute) name=\(name.attribute)>\n"
        let errors = shown.filter(\.kind.isError)
        let lines = errors.map { finding in
            ["\(suite.name):\(finding.location): \(finding.text)", finding.hint].compactMap(\.self)
                .joined(separator: "; ")
        }
        let kinds = Set(document.findings.filter(\.kind.isError).map(\.kind.name)).sorted().joined(separator: " ")
        let count = document.findings.count(where: \.kind.isError)
        let first = errors.first?.text ?? "not shown"
        let message = count == 1 ? first : "\(count) errors, the first: \(first)"
        suite.cases +=
            "    <failure message=\(message.attribute) type=\(kinds.attribute)>\(lines.joined(separator: "\n").xml)"
            + "</failure>\n  </testcase>\n"
        try endWhatIsLarge(output)
    }

    /// Ends a large suite early, so that memory is bounded for any number of lines.
    private mutating func endWhatIsLarge(_ output: Output) throws {
        guard suite.cases.utf8.count + suite.printedBytes > 1 << 20 else { return }
        // The good documents are counted in one test at the very end, so they move on to the next
        // part.
        let (name, good) = (suite.name, suite.good)
        suite.good = 0
        try end(output)
        suite = Suite(name: name, good: good)
    }

    mutating func good(_ count: Int, _ output: Output) { suite.good += count }

    mutating func unread(_ reason: String, _ output: Output) {
        suite.tests += 1
        suite.errors += 1
        suite.cases += """
              <testcase classname=\(typeName.attribute) name=\(suite.name.attribute)>
                <error message=\("could not be read: \(reason)".attribute) type="unread"/>
              </testcase>

            """
    }

    mutating func end(_ output: Output) throws {
        if suite.good > 0 {
            suite.tests += 1
            let name = suite.good > 1 ? "\(suite.name): \(suite.good) documents" : suite.name
            suite.cases += "  <testcase classname=\(typeName.attribute) name=\(name.attribute)/>\n"
        }
        if !suite.printed.isEmpty {
            suite.cases += "  <system-out>\(suite.printed.joined(separator: "\n").xml)</system-out>\n"
        }
        try output.write(
            """
            <testsuite name=\(suite.name.attribute) tests="\(suite.tests)" failures="\(suite.failures)" \
            errors="\(suite.errors)">
            \(suite.cases)</testsuite>

            """)
    }

    mutating func finish(_ totals: Totals, _ output: Output) throws { try output.write("</testsuites>\n") }
}

extension String {
    /// The text of an element. Characters that XML 1.0 §2.2 excludes become U+FFFD.
    fileprivate var xml: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            // A parser would turn a bare carriage return into a line feed (XML 1.0 §2.11).
            case "\r": text += "&#13;"
            case "\t", "\n": text.unicodeScalars.append(scalar)
            default:
                let isCharacter = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
                text.unicodeScalars.append(isCharacter ? scalar : "\u{FFFD}")
            }
        }
    }

    /// The text as an attribute's value, with quotes.
    fileprivate var attribute: String {
        // A parser would turn these into blanks in an attribute (XML 1.0 §3.3.3).
        "\"\(xml.replacing("\n", with: "&#10;").replacing("\t", with: "&#9;"))\""
    }
}
