import WharfJSON

/// One document against a type that decodes itself by `Decodable`.
struct CodableCheck<Value: Decodable> {
    let type: Value.Type
    let decoder: CodableJSONDecoder
    let rules: [Rule<Value>]
    let options: CheckOptions
    let memory: CodableMemory

    func check(_ bytes: JSONBytes) -> CheckedDocument {
        do {
            let value = try decoder.decode(type, from: bytes, with: memory)
            return good(value, bytes, needsExamination: options.findsIgnoredKeys, findings: [])
        } catch {
            guard let document = try? JSONNodeDecoder(bytes, decoder) else { return unreadable(bytes, error) }
            return wrong(document, bytes, error, findings: [])
        }
    }

    /// Foundation's decoder lets trailing commas pass, which are no JSON.
    private func unreadable(_ bytes: JSONBytes, _ error: any Error) -> CheckedDocument {
        let commas = TrailingCommas(in: bytes)
        guard !commas.offsets.isEmpty, let document = try? JSONNodeDecoder(commas.blanked, decoder) else {
            let issues = JSONError(behind: error)?.issues ?? []
            return CheckedDocument(findings: issues.map { Finding($0) })
        }
        let findings = options.isStrict ? commas.findings(in: document) : []
        do {
            let value = try decoder.decode(type, from: commas.blanked, with: memory)
            return good(value, commas.blanked, needsExamination: options.findsIgnoredKeys, findings: findings)
        } catch {
            return wrong(document, commas.blanked, error, findings: findings)
        }
    }

    private func good(
        _ value: Value, _ bytes: JSONBytes, needsExamination: Bool, findings: [Finding]
    ) -> CheckedDocument {
        var findings = findings
        if needsExamination, let document = try? JSONNodeDecoder(bytes, decoder) {
            let examiner = examiner(document)
            _ = examiner.examine(type, at: document)
            findings += examiner.ignoredKeys()
        }
        if options.isStrict { findings += DuplicateKeys.findings(in: bytes) }
        findings = findings.inOrder + rules.findings(in: value) { (try? JSONNodeDecoder(bytes, decoder)) }
        return CheckedDocument(findings: findings, printed: options.printsValues ? "\(value)" : nil)
    }

    private func wrong(
        _ document: JSONNodeDecoder, _ bytes: JSONBytes, _ error: any Error, findings: [Finding]
    ) -> CheckedDocument {
        let examiner = examiner(document)
        var found: [Finding] = []
        if options.findsEveryError {
            found = examiner.examine(type, at: document).findings
            if options.findsIgnoredKeys { found += examiner.ignoredKeys() }
        }
        if !found.contains(where: { $0.kind.isError }) {
            // The type behaves otherwise when it is asked again, or must not be.
            found += examiner.findings(of: error, in: type, at: document)
            for index in found.indices where found[index].kind.isError && !options.findsEveryError {
                found[index].hides = "\(type)"
            }
        }
        if options.isStrict { found += DuplicateKeys.findings(in: bytes) }
        return CheckedDocument(findings: (findings + found).inOrder)
    }

    private func examiner(_ document: JSONNodeDecoder) -> Examiner {
        Examiner(StandIns(decoder) { document.strings })
    }
}

extension [Finding] {
    /// By place; what is at one place stays as it was found. What a type and the class above it say of the same value is told once.
    var inOrder: [Finding] {
        var told: Set<Finding> = []
        return enumerated().sorted { ($0.element.location.offset, $0.offset) < ($1.element.location.offset, $1.offset) }
            .map(\.element)
            .filter { finding in
                var plain = finding
                plain.hides = nil
                return told.insert(plain).inserted
            }
    }
}

extension Array {
    /// Where a decoded value breaks the rules.
    ///
    /// - Parameter document: asked for where one does.
    func findings<Value>(in value: Value, _ document: () -> JSONNodeDecoder?) -> [Finding]
    where Element == Rule<Value> {
        flatMap { rule in
            rule.violations(in: value).map { violation in
                let message = violation.message.map { "\(rule.name): \($0)" } ?? rule.name
                guard let place = document()?.value(at: violation.path) else {
                    return Finding(
                        kind: .rule, path: violation.path, location: SourceLocation(offset: 0, line: 1, column: 1),
                        message: message)
                }
                let issue = place.issue(.invalidValue, expected: "")
                return Finding(.rule, at: issue, message, path: violation.path)
            }
        }
    }
}

extension JSONNodeDecoder {
    /// The strings of a document that are short enough for a case of an enumeration, each once, at most a thousand.
    fileprivate var strings: [String] {
        var found: Set<String> = []
        var open = [self]
        while let value = open.popLast(), found.count < 1000 {
            if value.kind == .string, let text = try? value.decode(String.self), text.utf8.count <= 100 {
                found.insert(text)
            }
            open += value.elements
            open += value.fields.map(\.value)
        }
        return found.sorted()
    }
}
