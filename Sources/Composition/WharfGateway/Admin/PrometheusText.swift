/// Metrics in the text format 0.0.4 of Prometheus.
struct PrometheusText: Sendable {
    private(set) var text = ""

    mutating func counter(_ name: String, _ help: String, _ value: Int64) {
        head(name, help, "counter")
        sample(name, value)
    }

    mutating func gauge(_ name: String, _ help: String, _ value: Int64) {
        head(name, help, "gauge")
        sample(name, value)
    }

    /// Writes the number of answers by source and class of status.
    mutating func requests(_ counts: GatewayActivity.Counts) {
        let name = "wharf_gateway_requests_total"
        head(name, "Answers by the part of the cache and the class of the status.", "counter")
        for source in AnswerSource.allCases {
            // Zeros too: `rate()` misses the first request of a series that begins with 1.
            for digit in 1...5 {
                sample("\(name){cache=\"\(source.rawValue)\",status=\"\(digit)xx\"}", counts[source, digit])
            }
        }
    }

    /// Writes a histogram, whose buckets are cumulative.
    mutating func durations(_ name: String, _ counts: GatewayActivity.Counts) {
        head(name, "Durations from the head of a request to the end of its answer.", "histogram")
        var sum = 0
        for (bound, count) in zip(GatewayActivity.bounds.map { "\($0 / .seconds(1))" } + ["+Inf"], counts.durations) {
            sum += count
            sample("\(name)_bucket{le=\"\(bound)\"}", sum)
        }
        sample("\(name)_sum", counts.time / .seconds(1))
        sample("\(name)_count", sum)
    }

    /// Writes a comment, which Prometheus ignores.
    mutating func comment(_ line: String) {
        text += "# \(line.split(whereSeparator: \.isNewline).joined(separator: " "))\n"
    }

    private mutating func head(_ name: String, _ help: String, _ type: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private mutating func sample(_ name: String, _ value: some Numeric) { text += "\(name) \(value)\n" }
}
