// Other systems can't start processes.
#if os(macOS) || os(Linux) || os(Android)
import WharfJSON

/// A round-robin pool of workers.
///
/// A worker gets its next block after its answer to the last. Answers come in the order of the
/// blocks.
struct WorkerPool {
    let workers: [WorkerProcess]
    let typeName: String
    let options: CheckOptions
    // The oldest block first; no worker has two. `line` counts the lines of all blocks before the
    // oldest.
    private var pending: [(worker: WorkerProcess, block: InputBlocks.Block)] = []
    private var turn = 0
    /// The number of lines in the answers so far.
    private var line = 0

    init(_ workers: [WorkerProcess], typeName: String, options: CheckOptions) {
        self.workers = workers
        self.typeName = typeName
        self.options = options
    }

    /// - Returns: the answer to an earlier block, once every worker is busy.
    mutating func check(_ block: InputBlocks.Block) throws -> CheckedBlock? {
        let answer = pending.count == workers.count ? try settle() : nil
        let worker = workers[turn]
        turn = (turn + 1) % workers.count
        try worker.send(WorkerRequest(input: block.request, options: options))
        pending.append((worker, block))
        return answer
    }

    /// Waits for the answer to the oldest block; nil if there is none.
    ///
    /// - Throws: ``Descriptor/Failure`` if the rest of a block can't be read.
    mutating func settle() throws -> CheckedBlock? {
        guard !pending.isEmpty else { return nil }
        let (worker, block) = pending.removeFirst()
        let answer: WorkerAnswer
        do {
            answer = try worker.receive() ?? answerOneByOne(block, worker)
        } catch is WorkerProcess.WorkerEnded {
            answer = try worker.listening { try answerOneByOne(block, worker, hasEnded: true) }
        }
        defer { line += answer.lines }
        return CheckedBlock(block, line, answer)
    }

    /// Checks the documents of a block one at a time, to find the one that ends the process.
    ///
    /// - Parameter hasEnded: the process ended; otherwise it refused to answer.
    private func answerOneByOne(
        _ block: InputBlocks.Block, _ worker: WorkerProcess, hasEnded: Bool = false
    ) throws -> WorkerAnswer {
        var answer = WorkerAnswer()
        let (bytes, offset) = try block.read()
        // If the block has one document, that document ended the process.
        let isKnown = hasEnded && block.isOneDocument(bytes)
        func add(_ line: Int, _ document: ArraySlice<UInt8>) throws {
            let checked = try check(document, worker, isThorough: !isKnown)
            answer.count += 1
            guard !checked.findings.isEmpty || checked.printed != nil else { return }
            answer.documents.append(
                WorkerAnswer.Document(
                    offset: offset + document.startIndex - bytes.startIndex, line: line, checked: checked))
        }
        if case .document = block.content { try add(0, bytes) } else { answer.lines = try bytes.forEachLine(add) }
        return answer
    }

    /// - Parameter isThorough: false for a document that has ended a process already.
    private func check(
        _ document: ArraySlice<UInt8>, _ worker: WorkerProcess, isThorough: Bool
    ) throws -> CheckedDocument {
        var request = WorkerRequest(input: .document(document), options: options)
        // The crash may come from a stand-in, so the document is tried once more without any.
        for isThorough in isThorough ? [true, false] : [false] {
            request.options.findsEveryError = isThorough
            request.options.findsIgnoredKeys = isThorough && options.findsIgnoredKeys
            try worker.send(request)
            do throws(WorkerProcess.WorkerEnded) {
                return try worker.receive()?.documents.first?.checked ?? CheckedDocument()
            } catch {
                guard !isThorough else { continue }
                let message = "\(typeName) ended the process with \(error.text)"
                return CheckedDocument(findings: [crash(message, document)])
            }
        }
        preconditionFailure("the last attempt must return")
    }

    private func crash(_ message: String, _ bytes: ArraySlice<UInt8>) -> Finding {
        let top = SourceLocation(offset: 0, line: 1, column: 1)
        let text = bytes.withUnsafeBytes { JSONBytes(copying: $0) }
        guard let document = try? JSONNodeDecoder(text, CodableJSONDecoder()) else {
            return Finding(kind: .crash, path: [], location: top, message: message)
        }
        return Finding(.crash, at: document.issue(.invalidValue, expected: ""), message)
    }
}

/// A block with its findings, placed in the whole input.
struct CheckedBlock {
    struct Document {
        /// The line, from 1.
        var line: Int
        var checked: CheckedDocument
    }

    /// The size in bytes.
    let size: Int
    let count: Int
    let documents: [Document]

    /// - Parameter line: the number of lines before the block.
    init(_ block: InputBlocks.Block, _ line: Int, _ answer: WorkerAnswer) {
        size = block.size
        count = answer.count
        documents = answer.documents.map { document in
            let (offset, line) = (block.offset + document.offset, line + document.line)
            var checked = document.checked
            checked.findings = checked.findings.map { $0.moved(byBytes: offset, lines: line) }
            return Document(line: line + 1, checked: checked)
        }
    }
}
#endif
