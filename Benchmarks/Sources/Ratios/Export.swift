internal import Comparisons
internal import Foundation

/// The plugin's export in JMH's format, as far as the table needs it.
struct Export {
    private struct Entry: Decodable {
        struct Metric: Decodable {
            let scorePercentiles: [String: Double]
        }
        let benchmark: String
        let secondaryMetrics: [String: Metric]
    }

    private let entries: [Entry]

    init(contentsOf path: String) throws {
        entries = try JSONDecoder().decode([Entry].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Nanoseconds of one operation in the median sample; nil when it was not measured.
    func median(_ timing: Timing) -> Double? {
        // The name stands behind the package's and the target's.
        guard
            let entry = entries.first(where: {
                let name = $0.benchmark
                return ["Reads", "Decodes", "Lists", "Outbox"].contains { name.hasSuffix(".\($0)." + timing.name) }
            }),
            let metric = entry.secondaryMetrics[timing.part ?? "Time (wall clock)"],
            let median = metric.scorePercentiles["50.0"]
        else { return nil }
        // Its own metrics are given in what they were measured in.
        return median * (timing.part == nil ? 1_000 : 1) / Double(timing.operations)
    }
}
