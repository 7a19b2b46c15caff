internal import WharfCore

/// The surroundings that the caches of one repository share.
struct ReadContext: Sendable {
    let clock: any WallClock
    /// Runs everything that is not a caller's own doing.
    let executor: (any TaskExecutor)?
    let connectivity: (any Connectivity)?
    /// Refreshes observed keys at its interval.
    let timer: RefreshTimer?
}
