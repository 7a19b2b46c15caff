internal import Comparisons
internal import Foundation

/// Prints the ratios of one run: `Ratios EXPORT.jmh.json`.
@main
struct Ratios {
    static func main() throws {
        guard CommandLine.arguments.count == 2 else {
            FileHandle.standardError.write(Data("usage: Ratios EXPORT.jmh.json\n".utf8))
            exit(64)
        }
        let export = try Export(contentsOf: CommandLine.arguments[1])
        var table = Table(header: ["measured / baseline", "ours p50", "baseline p50", "ratio", "target", "verdict"])
        for comparison in Comparison.all { table.append(row(comparison, export)) }
        print(table.text)
    }

    private static func row(_ comparison: Comparison, _ export: Export) -> [String] {
        let ours = export.median(comparison.measured)
        switch comparison.target {
        case .ratio(let limit, let baseline):
            let theirs = export.median(baseline)
            let ratio: Double? = if let ours, let theirs { ours / theirs } else { nil }
            return [
                comparison.title, text(ours), text(theirs), ratio.map { String(format: "%.2f", $0) } ?? "-",
                limit.map { String(format: "<= %g", $0) } ?? "-", limit.map { verdict(ratio, $0) } ?? "",
            ]
        case .speedup(let least, let baseline):
            let theirs = export.median(baseline)
            let ratio: Double? = if let ours, let theirs { theirs / ours } else { nil }
            return [
                comparison.title, text(ours), text(theirs), ratio.map { String(format: "%.2f", $0) } ?? "-",
                least.map { String(format: ">= %g", $0) } ?? "-",
                ratio == nil ? "not measured" : least.map { (ratio ?? 0) >= $0 ? "ok" : "falls short" } ?? "",
            ]
        case .time(let limit):
            let limit = limit / .nanoseconds(1)
            return [comparison.title, text(ours), "-", "-", "<= \(text(limit))", verdict(ours, limit)]
        }
    }

    private static func verdict(_ found: Double?, _ limit: Double) -> String {
        guard let found else { return "not measured" }
        return found <= limit ? "ok" : "falls short"
    }

    private static func text(_ nanoseconds: Double?) -> String {
        guard let nanoseconds else { return "-" }
        return switch nanoseconds {
        case ..<1_000: String(format: "%.0f ns", nanoseconds)
        case ..<1_000_000: String(format: "%.1f µs", nanoseconds / 1_000)
        default: String(format: "%.1f ms", nanoseconds / 1_000_000)
        }
    }
}
