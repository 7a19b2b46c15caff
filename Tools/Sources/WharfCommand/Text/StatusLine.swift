import Wharf

/// The status line on standard error.
struct StatusLine {
    /// Returns the line for an answer: status, source, age, freshness, and the reason that it is
    /// not newer.
    static func answer(
        _ answer: TransportResponse, _ plan: GetPlan, at now: WallTime, remarks: [String] = []
    ) -> String {
        let provenance = answer.provenance
        var parts = ["\(Plain.status(answer.head.status)) \(source(provenance.source))"]
        if provenance.source != .file {
            parts.append("\(Plain.duration(max(.zero, now - provenance.asOf))) old")
            parts.append(lifetime(provenance, at: now))
        }
        var line = (parts + remarks).joined(separator: ", ")
        if let failure = provenance.failure {
            line += "; the refresh failed: \(FailureText.short(ReadFailure(failure), plan))"
        }
        return Plain.line(line)
    }

    /// Returns the line for a read without an answer.
    static func noAnswer(_ failure: ReadFailure, _ plan: GetPlan) -> String {
        let kept = plan.mayFallBack ? "; no cached answer to use" : ""
        return Plain.line("no answer: \(FailureText.short(failure, plan))\(kept)")
    }

    /// Returns the line for an answer that broke off or was too long.
    static func truncated(
        _ answer: TransportResponse, _ plan: GetPlan, after count: Int64, _ error: TransportError
    ) -> String {
        let total = answer.body.expectedLength.map { " of \($0)" } ?? ""
        let how = error.code == .tooLarge ? "stopped" : "truncated"
        return Plain.line(
            "\(Plain.status(answer.head.status)) \(source(answer.provenance.source)), "
                + "\(how) after \(count)\(total) bytes: \(FailureText.short(ReadFailure(error), plan))")
    }

    private static func source(_ source: Source) -> String {
        switch source {
        case .network: "from the network"
        case .revalidated: "from the HTTP cache, confirmed by the server"
        case .httpCache: "from the HTTP cache"
        case .memory: "from memory"
        case .file: "from a file"
        default: "from \(source.name)"
        }
    }

    private static func lifetime(_ provenance: Provenance, at now: WallTime) -> String {
        guard let staleAt = provenance.staleAt else { return "stale (\(why(provenance.freshness)))" }
        let reason = why(provenance.freshness)
        if now < staleAt { return "fresh for another \(Plain.duration(staleAt - now)) (\(reason))" }
        let staleness = now - staleAt
        return staleness < .seconds(1) ? "stale (\(reason))" : "stale for \(Plain.duration(staleness)) (\(reason))"
    }

    private static func why(_ freshness: Freshness?) -> String {
        guard let freshness else { return "no lifetime is given" }
        let lifetime = freshness.freshnessLifetime
        return switch freshness.basis {
        case .maxAge, .sharedMaxAge: "\(freshness.basis.rawValue) is \(Plain.duration(lifetime))"
        case .expires: "Expires gives \(Plain.duration(lifetime))"
        case .heuristic: "by Last-Modified, \(Plain.duration(lifetime))"
        case .none: "no lifetime is given"
        }
    }
}
