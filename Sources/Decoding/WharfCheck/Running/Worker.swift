import WharfJSON

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A request to a worker: documents and the checks to make.
struct WorkerRequest: Sendable {
    enum Input: Sendable {
        case document(ArraySlice<UInt8>)
        /// Lines with a document each.
        case lines(ArraySlice<UInt8>)
        case part(FilePart)
    }

    var input: Input
    var options: CheckOptions
}

/// The worker's answer to a request.
struct WorkerAnswer: Sendable, Hashable {
    struct Document: Sendable, Hashable {
        /// The number of bytes before the document, counted from the start of the request's input.
        /// The lines are counted alike.
        var offset: Int
        var line: Int
        var checked: CheckedDocument
    }

    /// The number of documents.
    var count = 0
    /// The number of lines, including blank ones.
    var lines = 0
    /// The documents that have findings or a printed value.
    var documents: [Document] = []
}

/// The process that runs the types, which may crash. It answers requests until its input ends.
///
/// Output of the types goes to standard error, because standard output carries the answers.
struct Worker {
    /// The environment variable that marks a worker.
    static let mark = "WHARF_CHECK_WORKER"

    let check: (JSONBytes, CheckOptions) -> CheckedDocument

    func run() throws {
        // The copies are made first: the numbers 0 and 1 are given to other files below.
        let requests = try Descriptor.input.duplicate()
        let answers = try Descriptor.output.duplicate()
        try Descriptor.error.take(over: .output)
        // A type that reads standard input would otherwise take the bytes of requests.
        try Descriptor.null().take(over: .input)
        while let request = try WorkerRequest(from: requests) {
            if let answer = answer(request) {
                try answer.write(to: answers)
            } else {
                try WorkerAnswer.refuse(to: answers)
            }
        }
    }

    /// Returns nil if the worker can't read the file part in the request.
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

    /// - Parameter offset: the number of bytes of the request's input before the lines.
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

    /// Checks without stand-ins first, so that a crash happens as in production, with its message.
    ///
    /// The run with stand-ins is silenced. ``StandInLimits`` kills it if it does not end.
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
        // Buffered output from before belongs to the time before.
        fflush(nil)
        defer { fflush(nil) }
        return Descriptor.output.silenced { Descriptor.error.silenced(body) }
    }
}
