import Foundation
import WharfJSON

/// Checks one document against a type that conforms to `Decodable`.
struct CodableCheck<Value: Decodable & SendableMetatype> {
    let type: Value.Type
    let decoder: CodableJSONDecoder
    /// Production's decoder, if that is Foundation's; its verdict is final.
    ///
    /// It accepts some text that is not JSON, such as trailing commas.
    let judge: FoundationReference?
    let rules: [Rule<Value>]
    let options: CheckOptions
    let memory: CodableMemory

    func check(_ bytes: JSONBytes) -> CheckedDocument {
        // A decoder with such settings can accept or refuse other documents, so it alone decides.
        if let judge, !judge.isPlain { return judged(bytes, by: judge) }
        do {
            return good(try decoder.decode(type, from: bytes, with: memory), bytes)
        } catch {
            // Foundation may accept text that this decoder refuses, so only its own refusal counts.
            guard let judge else { return refused(bytes, as: bytes, error) }
            return judged(bytes, by: judge)
        }
    }

    private func judged(_ bytes: JSONBytes, by judge: FoundationReference) -> CheckedDocument {
        let text = UTF8Text(bytes)
        var checked: CheckedDocument
        do {
            checked = good(try judge.decoder.decode(type, from: Data(bytes.array)), text.bytes)
        } catch {
            checked = refused(text.bytes, as: TrailingCommas(in: text.bytes).blanked, error)
        }
        if !checked.findings.isEmpty {
            checked.findings = TrailingCommas(in: text.bytes).restored(in: checked.findings)
        }
        if options.isStrict, let encoding = text.otherEncoding {
            // RFC 8259 §8.1.
            let message = "expected UTF-8, found \(encoding)"
            checked.findings.insert(Finding(kind: .syntax, path: [], location: .start, message: message), at: 0)
        }
        return checked
    }

    private func good(_ value: Value, _ bytes: JSONBytes) -> CheckedDocument {
        // Nearly all documents are good, and the code below costs about as much as decoding.
        guard options.concernGoodDocuments || !rules.isEmpty else { return CheckedDocument() }
        let text = TrailingCommas.blanked(bytes, decoder)
        // Most good documents need no tree: it is made for ignored keys and broken rules only.
        lazy var document = try? JSONNodeDecoder(text, decoder)
        var findings: [Finding] = []
        if options.findsIgnoredKeys, let document {
            let examiner = examiner(document)
            _ = examiner.examine(type, at: document)
            findings += examiner.ignoredKeys()
        }
        if options.isStrict { findings += Strictness.findings(in: bytes) }
        findings = findings.inOrder + rules.findings(in: value) { document }
        return CheckedDocument(findings: findings, printed: options.printsValues ? "\(value)" : nil)
    }

    /// - Parameters:
    ///   - text: the document without the parts that production's decoder ignores.
    ///   - error: the error that decoding `text` threw.
    private func refused(_ bytes: JSONBytes, as text: JSONBytes, _ error: any Error) -> CheckedDocument {
        let document: JSONNodeDecoder
        do { document = try JSONNodeDecoder(text, decoder) } catch let unreadable {
            return CheckedDocument(findings: [found(error, unreadable)])
        }
        var findings = options.isStrict ? Strictness.findings(in: bytes) : []
        if options.findsEveryError {
            let examiner = examiner(document)
            let examined = examiner.examine(type, at: document)
            // Without a finding the second run proves nothing, and the error of the first one is
            // reported below.
            if !examiner.hasRunOutOfStack, !examined.findings.isEmpty {
                findings += examined.findings
                if options.findsIgnoredKeys { findings += examiner.ignoredKeys() }
                return CheckedDocument(findings: findings.inOrder)
            }
        }
        // One of three cases: stand-ins are off (`findsEveryError`), the examination ran out of
        // stack, or the second run found no error.
        var first = examiner(document).findings(of: error, in: type, at: document)
        if let last = first.indices.last { first[last].hides = "\(type)" }
        return CheckedDocument(findings: (findings + first).inOrder)
    }

    /// - Parameters:
    ///   - error: the error of production's decoder.
    ///   - unreadable: the error of this module's decoder, which could not parse the document.
    private func found(_ error: any Error, _ unreadable: any Error) -> Finding {
        let issue = JSONError(behind: unreadable)?.issues.first
        // Foundation's decoder may read past a syntax error and report a later one. If the bytes
        // are not valid text, its error means nothing.
        if let error = error as? DecodingError, JSONError(behind: error) == nil, !error.isOfGrammar,
            issue?.code != .invalidUTF8
        {
            return Finding(
                kind: .invalidValue, path: JSONPath(error.context.codingPath), location: .start,
                message: error.context.debugDescription, hides: "\(type)")
        }
        if let issue { return Finding(issue) }
        let message = (unreadable as? DecodingError)?.context.debugDescription ?? "\(unreadable)"
        return Finding(kind: .syntax, path: [], location: .start, message: message)
    }

    private func examiner(_ document: JSONNodeDecoder) -> Examiner {
        Examiner(StandIns(decoder, constants: options.constants) { document.strings })
    }
}

extension DecodingError {
    /// Whether Foundation reports a syntax error, or an error that looks like one.
    fileprivate var isOfGrammar: Bool {
        if case .dataCorrupted(let context) = self { context.codingPath.isEmpty } else { false }
    }
}

extension SourceLocation {
    static let start = SourceLocation(offset: 0, line: 1, column: 1)
}

extension [Finding] {
    /// Sorted by place, in a stable order.
    ///
    /// A class and its superclass can report the same fault of a value; it appears once.
    var inOrder: [Finding] {
        var reported: Set<Finding> = []
        return enumerated().sorted { ($0.element.location.offset, $0.offset) < ($1.element.location.offset, $1.offset) }
            .map(\.element)
            .filter { finding in
                var plain = finding
                plain.hides = nil
                return reported.insert(plain).inserted
            }
    }
}

extension Array {
    /// Returns the places at which a decoded value breaks the rules.
    ///
    /// - Parameter document: evaluated only if a rule is broken.
    func findings<Value>(in value: Value, _ document: () -> JSONNodeDecoder?) -> [Finding]
    where Element == Rule<Value> {
        flatMap { rule in
            rule.violations(in: value).map { violation in
                let message = violation.message.map { "\(rule.name): \($0)" } ?? rule.name
                guard let place = document()?.value(at: violation.path) else {
                    return Finding(kind: .rule, path: violation.path, location: .start, message: message)
                }
                let issue = place.issue(.invalidValue, expected: "")
                return Finding(.rule, at: issue, message, path: violation.path)
            }
        }
    }
}

extension JSONNodeDecoder {
    /// The distinct strings that are short enough to be a case of an enumeration.
    ///
    /// At most a thousand.
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
