import WharfJSON

/// Checks one document against a `JSONDecodable` type.
///
/// Such a type notes all of its errors in one pass.
struct DirectCheck<Value: JSONDecodable & SendableMetatype> {
    let type: Value.Type
    let reading: JSONReadingOptions
    let rules: [Rule<Value>]
    let options: CheckOptions

    func check(_ bytes: JSONBytes) -> CheckedDocument {
        var reading = reading
        // Production may stop early; the check is to find everything.
        reading.stopsAtFirstError = false
        reading.maximumIssues = .max
        let unread = UnreadKeys()
        if options.findsIgnoredKeys { reading.unreadKeys = unread }
        do throws(JSONError) {
            let value = try JSON.decode(type, from: bytes, options: reading)
            let found = unread.findings(in: bytes) + (options.isStrict ? Strictness.findings(in: bytes) : [])
            lazy var document = try? JSONNodeDecoder(bytes, CodableJSONDecoder())
            let findings = found.inOrder + rules.findings(in: value) { document }
            return CheckedDocument(findings: findings, printed: options.printsValues ? "\(value)" : nil)
        } catch {
            var found = error.issues.map { Finding($0) } + unread.findings(in: bytes)
            if options.isStrict { found += Strictness.findings(in: bytes) }
            return CheckedDocument(findings: found.inOrder)
        }
    }
}

extension UnreadKeys {
    fileprivate func findings(in bytes: JSONBytes) -> [Finding] {
        issues(in: bytes).map { Finding(.ignoredKey, at: $0, "no type reads this key") }
    }
}
