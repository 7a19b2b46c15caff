import WharfJSON

// The format of messages between two processes of one program: a head of three numbers, then the
// bytes or JSON.

extension WorkerRequest {
    private static let flags: [any WritableKeyPath<WorkerRequest, Bool> & Sendable] = [
        \.options.isStrict, \.options.findsIgnoredKeys, \.options.findsEveryError, \.options.printsValues,
    ]

    func write(to descriptor: Descriptor) throws {
        let (kind, bytes) =
            switch input {
            case .document(let bytes): (0, bytes)
            case .lines(let bytes): (1, bytes)
            case .part(let part): (2, try CodableJSONEncoder().encode(part)[...])
            }
        let bits = Self.flags.enumerated().reduce(0) { $0 | (self[keyPath: $1.element] ? 1 << $1.offset : 0) }
        try descriptor.write(head: kind, bits, bytes.count)
        let failure: Descriptor.Failure? = bytes.withUnsafeBytes { bytes in
            do throws(Descriptor.Failure) { try descriptor.write(bytes) } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }

    /// nil at the end of the input.
    init?(from descriptor: Descriptor) throws {
        guard let (kind, bits, length) = try descriptor.readHead(), let bytes = try descriptor.read(exactly: length)
        else {
            return nil
        }
        let input: Input =
            switch kind {
            case 0: .document(bytes[...])
            case 1: .lines(bytes[...])
            default: .part(try CodableJSONDecoder().decode(FilePart.self, from: bytes))
            }
        self.init(input: input, options: CheckOptions())
        for (index, flag) in Self.flags.enumerated() { self[keyPath: flag] = bits & (1 << index) != 0 }
    }
}

extension WorkerAnswer {
    func write(to descriptor: Descriptor) throws {
        let wire = documents.isEmpty ? [] : try CodableJSONEncoder().encode(documents.map(WireDocument.init))
        try descriptor.write(head: count, lines, wire.count)
        try descriptor.write(wire)
    }

    /// Sends a refusal in place of an answer.
    static func refuse(to descriptor: Descriptor) throws(Descriptor.Failure) {
        try descriptor.write(head: -1, 0, 0)
    }

    /// The worker has ended.
    struct WorkerMissing: Error {}

    /// - Returns: nil if the worker refuses to answer.
    /// - Throws: ``WorkerMissing`` if the worker ended before its answer was complete.
    static func receive(from descriptor: Descriptor) throws -> WorkerAnswer? {
        guard let (count, lines, length) = try descriptor.readHead(), let bytes = try descriptor.read(exactly: length)
        else {
            throw WorkerMissing()
        }
        // A negative count is a refusal.
        guard count >= 0 else { return nil }
        let wire = bytes.isEmpty ? [] : try CodableJSONDecoder().decode([WireDocument].self, from: bytes)
        return WorkerAnswer(count: count, lines: lines, documents: wire.map(\.document))
    }
}

extension Descriptor {
    fileprivate func write(head first: Int, _ second: Int, _ third: Int) throws(Failure) {
        try write(
            [first, second, third].flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } })
    }

    fileprivate func readHead() throws(Failure) -> (Int, Int, Int)? {
        guard let bytes = try read(exactly: 24) else { return nil }
        func number(_ part: ArraySlice<UInt8>) -> Int { part.reversed().reduce(0) { $0 << 8 | Int($1) } }
        return (number(bytes[..<8]), number(bytes[8..<16]), number(bytes[16...]))
    }
}

private struct WireDocument: Codable {
    struct Finding: Codable {
        var kind: String, path: [String], location: [Int], message: String, excerpt: String, caret: Int, hides: String?
    }

    var offset: Int, line: Int, findings: [Finding], printed: String?

    init(_ document: WorkerAnswer.Document) {
        offset = document.offset
        line = document.line
        printed = document.checked.printed
        findings = document.checked.findings.map { finding in
            let path = finding.path.steps.map { step in
                switch step {
                // A letter before each step tells the key "0" from the index 0.
                case .key(let key): "k\(key)"
                case .index(let index): "i\(index)"
                }
            }
            let place = finding.location
            return Finding(
                kind: finding.kind.name, path: path, location: [place.offset, place.line, place.column],
                message: finding.message, excerpt: finding.excerpt.text, caret: finding.excerpt.caret,
                hides: finding.hides)
        }
    }

    var document: WorkerAnswer.Document {
        let findings = findings.map { finding in
            let path = finding.path.map { step in
                step.first == "i" ? JSONPath.Step.index(Int(step.dropFirst()) ?? 0) : .key(String(step.dropFirst()))
            }
            return WharfCheck.Finding(
                kind: FindingKind.all.first { $0.name == finding.kind } ?? .invalidValue, path: JSONPath(path),
                location: SourceLocation(
                    offset: finding.location[0], line: finding.location[1], column: finding.location[2]),
                message: finding.message, excerpt: SourceExcerpt(finding.excerpt, caret: finding.caret),
                hides: finding.hides)
        }
        return WorkerAnswer.Document(
            offset: offset, line: line, checked: CheckedDocument(findings: findings, printed: printed))
    }
}
