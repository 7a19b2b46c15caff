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

    /// Returns the nanoseconds of one operation in the median sample; nil if it was not measured.
    func median(_ timing: Timing) -> Double? {
        // The names of the package and the target precede the benchmark's name.
        guard
            let entry = entries.first(where: {
                let name = $0.benchmark
                return ["Reads", "Decodes", "Lists", "Outbox"].contains { name.hasSuffix(".\($0)." + timing.name) }
            }),
            let metric = entry.secondaryMetrics[timing.part ?? "Time (wall clock)"],
            let median = metric.scorePercentiles["50.0"]
        else { return nil }
        // Custom metrics are in nanoseconds, and the wall clock is in microseconds.
        return median * (timing.part == nil ? 1_000 : 1) / Double(timing.operations)
    }
}
