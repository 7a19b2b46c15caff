/// The counts of a run.
struct Totals {
    var documents = 0
    private(set) var wrongDocuments = 0
    /// The number of findings by kind, including those not reported.
    private(set) var counts: [FindingKind: Int] = [:]
    /// The number of errors beyond the limit.
    private(set) var omitted = 0
    var unreadInputs = 0
    private var left: Int

    /// - Parameter limit: the number of errors to report.
    init(limit: Int) {
        left = limit
    }

    var errors: Int { counts.reduce(0) { $0 + ($1.key.isError ? $1.value : 0) } }

    var exitCode: Int32 {
        if unreadInputs > 0 { return ExitCode.inputNotRead }
        return errors > 0 ? ExitCode.payloadErrors : ExitCode.good
    }

    /// Counts the findings of one document.
    ///
    /// - Returns: the findings below the limit.
    mutating func take(_ findings: [Finding]) -> [Finding] {
        for finding in findings { counts[finding.kind, default: 0] += 1 }
        if findings.contains(where: \.kind.isError) { wrongDocuments += 1 }
        return findings.filter { finding in
            guard finding.kind.isError else { return true }
            if left > 0 { left -= 1 } else { omitted += 1; return false }
            return true
        }
    }

    /// A summary, as in `2 errors in 1 of 3 documents: 1 missing key, 1 wrong type`.
    var text: String {
        func list(_ kinds: [FindingKind]) -> String {
            kinds.filter { counts[$0] != nil }.map { Self.count(counts[$0, default: 0], $0.counted) }
                .joined(separator: ", ")
        }
        let documents = Self.count(documents, ("document", "documents"))
        var text =
            errors == 0
            ? "no errors in \(documents)"
            : "\(Self.count(errors, ("error", "errors"))) in \(wrongDocuments) of \(documents): "
                + list(FindingKind.all.filter(\.isError))
        let others = list(FindingKind.all.filter { !$0.isError })
        if !others.isEmpty { text += "; \(others)" }
        if omitted > 0 { text += "; \(omitted) not shown" }
        if unreadInputs > 0 { text += "; \(Self.count(unreadInputs, ("input", "inputs"))) could not be read" }
        return text
    }

    private static func count(_ number: Int, _ noun: (one: String, many: String)) -> String {
        "\(number) \(number == 1 ? noun.one : noun.many)"
    }
}
