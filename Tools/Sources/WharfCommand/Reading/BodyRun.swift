import Wharf

/// Writes the body unchanged to standard output or a file.
struct BodyRun {
    private let run: GetRun
    private var plan: GetPlan { run.plan }
    private var sink: Sink { run.sink }

    init(_ run: GetRun) { self.run = run }

    func run() async -> ProcessStatus {
        do throws(ReadFailure) {
            return await deliver(try await run.exchange(plan.request, plan.policy), mayFallBack: plan.mayFallBack)
        } catch {
            sink.abandon()
            return run.report(error)
        }
    }

    private func deliver(_ answer: TransportResponse, mayFallBack: Bool) async -> ProcessStatus {
        if answer.isError, plan.file != nil {
            // The file must contain a value or stay as it was.
            sink.abandon()
            run.report(answer)
            return .errorStatus
        }
        var transfer = BodyTransfer(
            answer.body, limit: plan.maxSize, hasBar: plan.file != nil || !run.surroundings.outputIsTerminal,
            run.surroundings)
        // The head is written with the first byte: until then a cached answer may replace this one.
        var head = head(of: answer)
        var end = await transfer.run { chunk throws(OutputFailure) in
            if !head.isEmpty { try sink.write(head) }
            head = []
            try sink.write(chunk)
        }
        let isOut = sink.isStream && transfer.written > 0
        if case .broke(let error) = end, !isOut, mayFallBack, let kept = await run.kept(insteadOf: answer, after: error)
        {
            return await replace(by: kept)
        }
        if case .whole = end { end = finish(head) }
        return conclude(answer, end, transfer.count)
    }

    private func replace(by kept: TransportResponse) async -> ProcessStatus {
        do throws(OutputFailure) {
            try sink.restart()
        } catch {
            sink.abandon()
            return run.report(error)
        }
        return await deliver(kept, mayFallBack: false)
    }

    private func finish(_ rest: [UInt8]) -> BodyTransfer.End {
        do throws(OutputFailure) {
            if !rest.isEmpty { try sink.write(rest) }
            try sink.finish()
            return .whole
        } catch {
            return .stopped(error)
        }
    }

    private func conclude(
        _ answer: TransportResponse, _ end: BodyTransfer.End, _ count: Int64
    ) -> ProcessStatus {
        switch end {
        case .whole:
            run.report(answer)
            return run.status(of: answer)
        case .stopped(let failure) where failure.isReaderGone && sink.isStream:
            // The reader, such as `| head`, has enough.
            run.report(answer)
            return run.status(of: answer)
        case .stopped(let failure):
            sink.abandon()
            return run.report(failure)
        case .broke(let error):
            sink.abandon()
            if error.code == .cancelled { return run.report(ReadFailure(error)) }
            run.say(StatusLine.truncated(answer, plan, after: count, error))
            run.explain(answer, error.message)
            return .noAnswer
        }
    }

    /// Returns the status line and fields in the format of RFC 9112, for `-i`.
    private func head(of answer: TransportResponse) -> [UInt8] {
        guard plan.form == .headAndBody else { return [] }
        let status = answer.head.status
        var text = "HTTP/1.1 \(status.code) \(Plain.reason(status))\r\n"
        for field in answer.head.headerFields { text += "\(field.name.rawName): \(field.value)\r\n" }
        return Array((text + "\r\n").utf8)
    }
}
