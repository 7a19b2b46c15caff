import Wharf

/// Writes one JSON object per answer, after its whole body has arrived.
struct RecordRun {
    private let run: GetRun
    private var plan: GetPlan { run.plan }

    init(_ run: GetRun) { self.run = run }

    func run() async -> ProcessStatus {
        if plan.policy == .cacheThenNetwork, plan.mayFallBack {
            do throws(ReadFailure) {
                let kept = try await run.exchange(plan.request, .cacheOnly)
                let status = await emit(kept, mayFallBack: false)
                if status == .outputFailed || status == .cancelled { return end(status) }
            } catch {
                // An empty cache is not reported as an answer; the network is next.
                if error.code != .nothingKept { return end(fail(error, nil)) }
            }
        }
        do throws(ReadFailure) {
            return end(await emit(try await run.exchange(plan.request, plan.policy), mayFallBack: plan.mayFallBack))
        } catch {
            return end(fail(error, nil))
        }
    }

    /// Commits the output file, unless there is no value for it.
    private func end(_ status: ProcessStatus) -> ProcessStatus {
        guard status == .delivered || status == .stale else {
            run.sink.abandon()
            return status
        }
        do throws(OutputFailure) {
            try run.sink.finish()
            return status
        } catch {
            return run.report(error)
        }
    }

    private func emit(_ answer: TransportResponse, mayFallBack: Bool) async -> ProcessStatus {
        var body: [UInt8] = []
        let limit = plan.maxSize ?? GetPlan.collectedLimit
        var transfer = BodyTransfer(answer.body, limit: limit, run.surroundings)
        let end = await transfer.run { chunk throws(OutputFailure) in body += chunk }
        if case .broke(let error) = end {
            if mayFallBack, let kept = await run.kept(insteadOf: answer, after: error) {
                return await emit(kept, mayFallBack: false)
            }
            return fail(ReadFailure(error), answer, after: transfer.count)
        }
        let now = run.surroundings.clock.now()
        let record =
            answer.isError
            ? JSONRecord.failed(statusFailure(answer), answer, at: now) : JSONRecord.delivered(answer, body, at: now)
        return write(record) {
            run.report(answer)
            if let fault = record.fault { run.report(fault) }
            return run.status(of: answer)
        }
    }

    private func fail(_ failure: ReadFailure, _ answer: TransportResponse?, after count: Int64 = 0) -> ProcessStatus {
        if failure.code == .cancelled { return run.report(failure) }
        return write(JSONRecord.failed(failure, answer, at: run.surroundings.clock.now())) {
            guard let answer, let error = failure.cause as? TransportError else { return run.report(failure) }
            run.say(StatusLine.truncated(answer, plan, after: count, error))
            run.explain(answer, error.message)
            return .noAnswer
        }
    }

    private func write(_ record: JSONRecord, then conclude: () -> ProcessStatus) -> ProcessStatus {
        do throws(OutputFailure) {
            try run.sink.write(record.line)
        } catch {
            if !(error.isReaderGone && run.sink.isStream) { return run.report(error) }
        }
        return conclude()
    }

    private func statusFailure(_ answer: TransportResponse) -> ReadFailure {
        ReadFailure(
            .status,
            message: "the read of \(Target.shown(plan.target.url)) gave no value: the server answered "
                + Plain.status(answer.head.status), response: answer.head)
    }
}
