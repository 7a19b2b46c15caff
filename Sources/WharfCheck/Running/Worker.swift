import WharfJSON

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What a worker is asked: documents and how to look at them.
struct WorkerRequest: Sendable {
    enum Input: Sendable {
        case document(ArraySlice<UInt8>)
        /// A document each.
        case lines(ArraySlice<UInt8>)
        case part(FilePart)
    }

    var input: Input
    var options: CheckOptions
}

/// What a worker says of them.
struct WorkerAnswer: Sendable, Hashable {
    struct Document: Sendable, Hashable {
        /// Where it begins in what was asked about: how many bytes and lines come before.
        var offset: Int
        var line: Int
        var checked: CheckedDocument
    }

    /// How many there were.
    var count = 0
    /// How many lines, with blank ones.
    var lines = 0
    /// Those of which there is something to say.
    var documents: [Document] = []
}

/// The process in which types run that may crash: answers requests until its input ends.
///
/// What types print goes to standard error, as standard output is the way back to the parent.
struct Worker {
    /// Set in the environment of a worker.
    static let mark = "WHARF_CHECK_WORKER"

    let check: (JSONBytes, CheckOptions) -> CheckedDocument

    func run() throws {
        let requests = try Descriptor.input.duplicate()
        let answers = try Descriptor.output.duplicate()
        try Descriptor.error.take(over: .output)
        // A type that reads standard input finds it empty.
        try Descriptor.null().take(over: .input)
        while let request = try WorkerRequest(from: requests) {
            if let answer = answer(request) {
                try answer.write(to: answers)
            } else {
                try WorkerAnswer.refuse(to: answers)
            }
        }
    }

    /// nil where what was asked about can't be read from here.
    private func answer(_ request: WorkerRequest) -> WorkerAnswer? {
        var answer = WorkerAnswer()
        switch request.input {
        case .document(let bytes): add(bytes, 0, 0, request.options, to: &answer)
        case .lines(let bytes): add(lines: bytes, 0, request.options, to: &answer)
        case .part(let part):
            guard let (bytes, offset) = part.read() else { return nil }
            add(lines: bytes, offset, request.options, to: &answer)
        }
        return answer
    }

    /// - Parameter offset: how many bytes come before in what was asked about.
    private func add(
        lines bytes: ArraySlice<UInt8>, _ offset: Int, _ options: CheckOptions, to answer: inout WorkerAnswer
    ) {
        answer.lines = bytes.forEachLine { number, line in
            add(line, offset + line.startIndex - bytes.startIndex, number, options, to: &answer)
        }
    }

    private func add(
        _ bytes: ArraySlice<UInt8>, _ offset: Int, _ line: Int, _ options: CheckOptions, to answer: inout WorkerAnswer
    ) {
        answer.count += 1
        let checked = check(bytes.withUnsafeBytes { JSONBytes(copying: $0) }, in: options)
        guard !checked.findings.isEmpty || checked.printed != nil else { return }
        answer.documents.append(WorkerAnswer.Document(offset: offset, line: line, checked: checked))
    }

    /// A type that crashes does so in a run that it would have in production, and says why on
    /// standard error. What it says of values that stand in is nobody's concern, and one that never
    /// comes to an end with them is killed by ``StandInLimits``.
    private func check(_ bytes: JSONBytes, in options: CheckOptions) -> CheckedDocument {
        var plain = options
        (plain.findsEveryError, plain.findsIgnoredKeys) = (false, false)
        let start = ContinuousClock.now
        let checked = check(bytes, plain)
        guard options != plain, checked.hasErrors || options.findsIgnoredKeys else { return checked }
        let limits = StandInLimits(size: bytes.count, plain: ContinuousClock.now - start)
        return silenced { limits.hold { check(bytes, options) } }
    }

    private func silenced<Result>(_ body: () -> Result) -> Result {
        // What was printed before belongs to what was before.
        fflush(nil)
        defer { fflush(nil) }
        return Descriptor.output.silenced { Descriptor.error.silenced(body) }
    }
}
