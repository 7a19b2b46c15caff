/// How often a renderer is asked, and how long it is waited for.
public struct DLNATiming: Hashable, Sendable {
    /// Between two questions for state and position. States are no newer than that.
    public var interval: Duration
    /// One answer takes no longer, or it is counted as none.
    public var answer: Duration
    /// After so many questions in a row without an answer the renderer is lost; at least one.
    public var misses: Int
    /// How long a renderer may take until it plays what was loaded, or has gone to a position.
    public var ready: Duration
    /// How long a renderer that has just begun an item is watched after a seek, unless its position
    /// moves on before. gmediarender reports the position it was sent to for a second, also where
    /// it dropped the seek because it had no data yet.
    public var confirmation: Duration

    public init(
        interval: Duration = .seconds(1), answer: Duration = .seconds(5), misses: Int = 3,
        ready: Duration = .seconds(15), confirmation: Duration = .seconds(2)
    ) {
        self.interval = interval
        self.answer = answer
        self.misses = misses
        self.ready = ready
        self.confirmation = confirmation
    }
}
