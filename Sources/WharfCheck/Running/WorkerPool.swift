// Other systems have no processes to start.
#if os(macOS) || os(Linux) || os(Android)
import WharfJSON

/// Workers that take turns: each gets its next block when it has answered the one before, and answers come in the order of the blocks.
struct WorkerPool {
    let workers: [WorkerProcess]
    let typeName: String
    let isLines: Bool
    let options: CheckOptions
    private var pending: [(worker: WorkerProcess, block: InputBlocks.Block)] = []
    private var turn = 0

    init(_ workers: [WorkerProcess], typeName: String, isLines: Bool, options: CheckOptions) {
        self.workers = workers
        self.typeName = typeName
        self.isLines = isLines
        self.options = options
    }

    /// - Returns: the answer to an earlier block, once every worker is busy.
    mutating func check(_ block: InputBlocks.Block) throws(WorkerProcess.NotStarted) -> CheckedBlock? {
        let answer = pending.count == workers.count ? try settle() : nil
        let worker = workers[turn]
        turn = (turn + 1) % workers.count
        try worker.send(WorkerRequest(isLines: isLines, options: options, bytes: block.bytes))
        pending.append((worker, block))
        return answer
    }

    /// nil when every block has been answered.
    mutating func settle() throws(WorkerProcess.NotStarted) -> CheckedBlock? {
        guard !pending.isEmpty else { return nil }
        let (worker, block) = pending.removeFirst()
        do throws(WorkerProcess.Ended) {
            return CheckedBlock(block, try worker.receive())
        } catch {
            return CheckedBlock(
                block,
                try worker.listening { () throws(WorkerProcess.NotStarted) in try answerOneByOne(block, worker) })
        }
    }

    /// What to do where a type ends the process: find the document, and go on behind it.
    private func answerOneByOne(
        _ block: InputBlocks.Block, _ worker: WorkerProcess
    ) throws(WorkerProcess.NotStarted) -> WorkerAnswer {
        var answer = WorkerAnswer()
        for document in isLines ? block.lines : [block] {
            let checked = try check(document, worker)
            answer.count += 1
            guard !checked.findings.isEmpty || checked.printed != nil else { continue }
            answer.documents.append(
                WorkerAnswer.Document(
                    offset: document.offset - block.offset, line: document.line - block.line, checked: checked))
        }
        return answer
    }

    private func check(
        _ document: InputBlocks.Block, _ worker: WorkerProcess
    ) throws(WorkerProcess.NotStarted) -> CheckedDocument {
        var request = WorkerRequest(isLines: false, options: options, bytes: document.bytes)
        // It may be a value that stands in that the type can't bear, so it is tried once more without any.
        for isThorough in [true, false] {
            request.options.findsEveryError = isThorough
            request.options.findsIgnoredKeys = isThorough && options.findsIgnoredKeys
            try worker.send(request)
            do throws(WorkerProcess.Ended) {
                return try worker.receive().documents.first?.checked ?? CheckedDocument()
            } catch {
                guard !isThorough else { continue }
                let message = "\(typeName) ended the process with \(error.text)"
                return CheckedDocument(findings: [crash(message, document.bytes)])
            }
        }
        preconditionFailure("the second time returns")
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

/// A block with what was found in it, by its place in the input.
struct CheckedBlock {
    struct Document {
        /// From 1.
        var line: Int
        var checked: CheckedDocument
    }

    /// In bytes.
    let size: Int
    let count: Int
    let documents: [Document]

    init(_ block: InputBlocks.Block, _ answer: WorkerAnswer) {
        size = block.bytes.count
        count = answer.count
        documents = answer.documents.map { document in
            let (offset, line) = (block.offset + document.offset, block.line + document.line)
            var checked = document.checked
            checked.findings = checked.findings.map { $0.moved(byBytes: offset, lines: line) }
            return Document(line: line + 1, checked: checked)
        }
    }
}
#endif
