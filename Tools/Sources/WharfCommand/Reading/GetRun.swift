import Wharf
import WharfJSON

/// One `wharf get`, from its plan to its exit status.
struct GetRun {
    let plan: GetPlan
    let sink: Sink
    let exchange: Exchange
    let surroundings: Surroundings

    init(_ plan: GetPlan, _ sink: Sink, _ exchange: @escaping Exchange, _ surroundings: Surroundings) {
        self.plan = plan
        self.sink = sink
        self.exchange = exchange
        self.surroundings = surroundings
    }

    func run() async -> ProcessStatus {
        plan.form == .json ? await RecordRun(self).run() : await BodyRun(self).run()
    }

    /// Returns the exit status for a delivered answer.
    func status(of answer: TransportResponse) -> ProcessStatus {
        if answer.isError { return .errorStatus }
        return plan.isStrict && answer.provenance.isStale(at: surroundings.clock.now()) ? .stale : .delivered
    }

    /// Writes the status line of an answer, and the explanation for `--explain`.
    func report(_ answer: TransportResponse) {
        let now = surroundings.clock.now()
        say(StatusLine.answer(answer, plan, at: now, remarks: remarks(answer)))
        explain(answer, answer.provenance.failure?.message)
    }

    func report(_ failure: ReadFailure) -> ProcessStatus {
        if failure.code == .cancelled {
            say("cancelled\(plan.file.map { "; nothing was written to '\($0)'" } ?? "")")
            return .cancelled
        }
        say(StatusLine.noAnswer(failure, plan))
        if plan.explains { say(Plain.line("Error: \(failure)")) }
        return failure.code == .invalidRequest ? .usage : .noAnswer
    }

    func report(_ failure: OutputFailure) -> ProcessStatus {
        say("wharf: \(failure.message)")
        return .outputFailed
    }

    /// Reports a body that is not JSON although its Content-Type says so.
    ///
    /// The report has the place and the part of the line around it.
    func report(_ fault: JSONError) {
        say("wharf: the body is not JSON, although its Content-Type says so; it is printed as base64")
        for issue in fault.issues {
            for line in issue.description.split(separator: "\n") { say(Plain.line(String(line))) }
        }
    }

    /// - Parameter error: the whole message of the failure, which the status line shortens.
    func explain(_ answer: TransportResponse, _ error: String?) {
        guard plan.explains else { return }
        if let error { say(Plain.line("Error: \(error)")) }
        for line in Explanation.lines(answer.provenance) { say(line) }
    }

    func say(_ line: String) { surroundings.writeError(line + "\n") }

    /// Returns the cached answer in place of one that broke off; nil if there is none.
    func kept(insteadOf answer: TransportResponse, after error: TransportError) async -> TransportResponse? {
        guard plan.mayFallBack, answer.provenance.source == .network, !answer.isError, error.code != .cancelled else {
            return nil
        }
        do throws(ReadFailure) {
            var kept = try await exchange(plan.request, .cacheOnly)
            guard !kept.isError else { return nil }
            kept.provenance.failure = error
            return kept
        } catch {
            // Nothing is cached, so the caller reports the answer that broke off.
            return nil
        }
    }

    private func remarks(_ answer: TransportResponse) -> [String] {
        guard plan.isUnowned, answer.provenance.source == .network else { return [] }
        return ["not kept (credentials without --account)"]
    }
}

extension TransportResponse {
    /// Whether the status is a client or server error.
    var isError: Bool { head.status.code >= 400 }
}
