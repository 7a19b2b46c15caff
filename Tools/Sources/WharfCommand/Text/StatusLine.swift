import Wharf

/// The one line on standard error.
struct StatusLine {
    /// What came: status, source, age, fresh or stale and why, and why it is not newer.
    static func answer(
        _ head: HTTPResponse, _ provenance: Provenance, at now: WallTime, remarks: [String] = []
    ) -> String {
        var parts = ["\(Plain.status(head.status)) \(source(provenance.source))"]
        if provenance.source != .file {
            parts.append("\(Plain.duration(max(.zero, now - provenance.asOf))) old")
            parts.append(lifetime(provenance, at: now))
        }
        var line = (parts + remarks).joined(separator: ", ")
        if let failure = provenance.failure { line += "; the refresh failed: \(reason(failure))" }
        return Plain.line(line)
    }

    /// Why nothing came.
    static func noAnswer(_ failure: ReadFailure, _ plan: GetPlan) -> String {
        let kept = plan.mayFallBack ? "; nothing that is kept can stand in" : ""
        return Plain.line("no answer: \(failure.message)\(kept)")
    }

    /// What broke off.
    static func truncated(_ answer: TransportResponse, after count: Int64, _ error: TransportError) -> String {
        let total = answer.body.expectedLength.map { " of \($0)" } ?? ""
        return Plain.line(
            "\(Plain.status(answer.head.status)) \(source(answer.provenance.source)), "
                + "truncated after \(count)\(total) bytes: \(error.message)")
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
        guard let freshness else { return "it names no lifetime" }
        let lifetime = freshness.freshnessLifetime
        return switch freshness.basis {
        case .maxAge, .sharedMaxAge: "\(freshness.basis.rawValue) is \(Plain.duration(lifetime))"
        case .expires: "Expires gives it \(Plain.duration(lifetime))"
        case .heuristic: "by Last-Modified, \(Plain.duration(lifetime))"
        case .none: "it names no lifetime"
        }
    }

    private static func reason(_ failure: TransportError) -> String {
        if failure.code == .serverFailed, let response = failure.response {
            return "the server answered \(Plain.status(response.status))"
        }
        return failure.message
    }
}
