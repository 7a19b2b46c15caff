// Other systems can't start processes.
#if os(macOS) || os(Linux) || os(Android)
/// One run over all inputs, from its arguments to its exit code.
struct CheckRun {
    let arguments: CheckArguments
    let typeName: String
    let workers: [WorkerProcess]
    let output: Output
    /// Prints messages that do not belong to the report.
    let complain: (String) -> Void

    func run() -> Int32 {
        var report = arguments.format.report(typeName, arguments)
        var totals = Totals(limit: arguments.maximumFindings)
        do {
            try report.begin(output)
            for input in arguments.inputs {
                try report.begin(input.name, output)
                // An unreadable input does not end the run: the others are still checked.
                if let failure = try check(input, &report, &totals) {
                    totals.unreadInputs += 1
                    output.clearProgress()
                    complain("'\(input.name)' could not be read: \(failure)")
                    try report.unread(failure, output)
                }
                try report.end(output)
            }
            output.clearProgress()
            try report.finish(totals, output)
            try output.flush()
        } catch let failure as Output.Failure where failure.reason.isBrokenPipe {
            // The reader has closed the pipe and wants no more.
            return totals.exitCode
        } catch let failure as Output.Failure {
            complain("the report could not be written: \(failure.reason.text)")
            return ExitCode.outputFailed
        } catch {
            let reason = (error as? WorkerProcess.NotStarted)?.reason.text ?? "\(error)"
            complain("the process that runs the types could not be started: \(reason)")
            return ExitCode.internalError
        }
        return totals.exitCode
    }

    /// - Returns: the reason that the input, or the rest of it, could not be read.
    private func check(
        _ input: CheckArguments.Input, _ report: inout any Report, _ totals: inout Totals
    ) throws -> String? {
        if let failure = input.failure { return failure }
        var pool = WorkerPool(workers, typeName: typeName, options: arguments.options)
        var failure: Descriptor.Failure?
        do {
            var blocks = try InputBlocks(input.path, isLines: arguments.readsLines)
            output.beginProgress(of: blocks.expectedSize)
            while true {
                // A writer that sends line by line may wait for the answer to its last line.
                while !blocks.isReady, let checked = try pool.settle() { try tell(checked, &report, &totals) }
                guard let block = try blocks.next() else { break }
                if let checked = try pool.check(block) { try tell(checked, &report, &totals) }
            }
        } catch let error as Descriptor.Failure {
            failure = error
        }
        while true {
            do {
                // Blocks that were read before the failure are under way, and their findings count.
                guard let checked = try pool.settle() else { return failure?.text }
                try tell(checked, &report, &totals)
            } catch let error as Descriptor.Failure {
                failure = failure ?? error
            }
        }
    }

    private func tell(_ block: CheckedBlock, _ report: inout any Report, _ totals: inout Totals) throws {
        totals.documents += block.count
        for document in block.documents {
            try report.document(
                document.checked, shown: totals.take(document.checked.findings),
                line: arguments.readsLines ? document.line : nil, output)
        }
        try report.good(block.count - block.documents.count { $0.checked.hasErrors }, output)
        output.advance(by: block.size, totals)
        try output.flush()
    }
}

/// The exit codes of the process.
enum ExitCode {
    static let good: Int32 = 0
    static let payloadErrors: Int32 = 1
    /// An input, or a part of one, could not be read.
    static let inputNotRead: Int32 = 3
    static let usage: Int32 = 64
    static let internalError: Int32 = 70
    static let outputFailed: Int32 = 74
}
#endif
