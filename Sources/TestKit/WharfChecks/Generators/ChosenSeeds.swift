internal import Foundation

/// The seeds of tests that make random runs.
package enum ChosenSeeds {
    /// The seeds of `WHARF_SEEDS`, such as `1-1000`, which `make simulate` sets.
    package static func chosen(otherwise usual: ClosedRange<UInt64>) -> ClosedRange<UInt64> {
        let ends = ProcessInfo.processInfo.environment["WHARF_SEEDS"]?.split(separator: "-").compactMap { UInt64($0) }
        guard let ends, ends.count == 2, ends[0] <= ends[1] else { return usual }
        return ends[0]...ends[1]
    }
}
