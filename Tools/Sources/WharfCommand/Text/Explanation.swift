import Wharf

/// The text of `--explain`: the handling by the cache, and the arithmetic of RFC 9111 §4.2.
enum Explanation {
    static func lines(_ provenance: Provenance) -> [String] {
        var lines: [String] = []
        if let status = provenance.cacheStatus { lines.append("Cache-Status: \(status.fieldValue())") }
        if let freshness = provenance.freshness { lines += arithmetic(freshness) }
        if lines.isEmpty { lines.append("no cache was used") }
        return lines
    }

    /// Returns the steps of the calculation, one per line.
    static func arithmetic(_ freshness: Freshness) -> [String] {
        var rows: [(name: String, value: Duration, meaning: String)] = [
            ("apparent age", freshness.apparentAge, "time of the answer less its Date, at least 0"),
            ("corrected age", freshness.correctedAge, "its Age plus the response time"),
            ("resident time", freshness.residentTime, "time since the answer arrived"),
            ("current age", freshness.currentAge, "the larger age plus the resident time"),
            ("freshness lifetime", freshness.freshnessLifetime, basis(freshness.basis)),
        ]
        if freshness.isFresh {
            rows.append(("fresh for", freshness.freshnessLifetime - freshness.currentAge, "lifetime less current age"))
        } else {
            rows.append(("stale for", freshness.staleness, "current age less lifetime"))
        }
        let values = rows.map { Plain.seconds($0.value) }
        let nameWidth = rows.map(\.name.count).max() ?? 0
        let valueWidth = values.map(\.count).max() ?? 0
        return zip(rows, values).map { row, value in
            let name = row.name + String(repeating: " ", count: nameWidth - row.name.count)
            let padding = String(repeating: " ", count: valueWidth - value.count)
            return "  \(name)  \(padding)\(value) s   \(row.meaning)"
        }
    }

    private static func basis(_ basis: Freshness.Basis) -> String {
        switch basis {
        case .sharedMaxAge, .maxAge, .expires: basis.rawValue
        case .heuristic: "a tenth of the time since Last-Modified"
        case .none: "the answer names none"
        }
    }
}
