/// The polling interval of a renderer, and the limits for its answers.
public struct DLNATiming: Hashable, Sendable {
    /// The time between two polls of state and position. It limits how current states are.
    public var interval: Duration
    /// The limit for one answer. A later one counts as a miss.
    public var answer: Duration
    /// The number of consecutive misses after which the renderer is lost; at least one.
    public var misses: Int
    /// The limit for starting a loaded item, and for reaching a position.
    public var ready: Duration
    /// The time for which a seek is watched after an item has just started.
    ///
    /// The watch ends early if the position advances. The renderer gmediarender reports the
    /// requested position for a second, even if it has dropped the seek for lack of data.
    public var confirmation: Duration

    /// Creates a timing.
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
