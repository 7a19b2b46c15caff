internal import WharfCore
internal import WharfJSON
internal import WharfPrimitives

/// Replaces secrets and remembers them, so that they can be replaced elsewhere too. It is a value
/// without I/O.
struct Redactor: Sendable {
    let rules: Redaction
    /// The secrets that were seen; the longest is replaced first.
    private(set) var secrets: Set<String>
    private(set) var notes: [String] = []

    init(_ rules: Redaction) {
        self.rules = rules
        secrets = rules.values
    }

    /// Redacts an exchange by names. Secrets that it finds are replaced in all exchanges by
    /// ``clearing(_:)``.
    mutating func redact(_ exchange: RecordedExchange) -> RecordedExchange {
        // Notes of an earlier pass stay, as this one no longer sees the secrets.
        notes = exchange.redacted
        var copy = exchange
        copy.request = redact(exchange.request)
        copy.answer.fields = fields(exchange.answer.fields, "answer")
        copy.answer.body = body(exchange.answer.body, exchange.answer.fields, "answer")
        if let failure = exchange.answer.failure {
            copy.answer.failure?.message = queries(in: failure.message, "failure")
        }
        copy.redacted = notes
        return copy
    }

    mutating func redact(_ request: RecordedRequest) -> RecordedRequest {
        var copy = request
        copy.url = url(request.url)
        copy.fields = fields(request.fields, "request")
        copy.body = body(request.body, request.fields, "request")
        return copy
    }

    /// Returns the exchange without the secrets that are known by now.
    func clearing(_ exchange: RecordedExchange) -> RecordedExchange {
        var copy = exchange
        copy.request = clearing(exchange.request)
        copy.answer.fields = exchange.answer.fields.map(clearing)
        copy.answer.body = clearing(exchange.answer.body)
        if let failure = exchange.answer.failure { copy.answer.failure?.message = clearing(failure.message) }
        if copy.request != exchange.request || copy.answer != exchange.answer {
            let note = "a value that was secret elsewhere"
            if !copy.redacted.contains(note) { copy.redacted.append(note) }
        }
        return copy
    }

    func clearing(_ request: RecordedRequest) -> RecordedRequest {
        var copy = request
        copy.url = clearing(request.url)
        copy.fields = request.fields.map(clearing)
        copy.body = clearing(request.body)
        return copy
    }

    mutating func learn(_ secret: String) {
        // A common word may be secret below one name (`"key": "title"`), and harmless elsewhere.
        let isWord = secret.allSatisfy(\.isLetter) && secret.utf8.count < 16
        guard secret.utf8.count >= 6, !isWord, secret != Redaction.marker else { return }
        secrets.insert(secret)
        secrets.insert(PercentDecoding.form(secret[...]))
    }

    mutating func note(_ what: String) {
        if !notes.contains(what) { notes.append(what) }
    }
}
