internal import WharfCore

/// The context that the caches of one repository share.
struct ReadContext: Sendable {
    let clock: any WallClock
    /// The executor of tasks that are not a caller's own; nil for the global executor.
    let executor: (any TaskExecutor)?
    let connectivity: (any Connectivity)?
    /// Refreshes observed keys at its interval.
    let timer: RefreshTimer?
}
