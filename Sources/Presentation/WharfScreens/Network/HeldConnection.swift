internal import WharfPlayback

/// The connection of a screen, as a value.
///
/// It covers concurrent connects, cancellations and disconnects.
struct HeldConnection {
    typealias Opening = Task<Result<ScreenConnection, PlaybackError>, Never>

    // Invariants when the lock is free:
    // - `connection` has not ended, or its `lost` is still to come.
    // - `loss` is nil while there is a connection.
    // - `callers` is the number of calls between `arrive` and `leave`.
    private(set) var connection: ScreenConnection?
    private(set) var loss: PlaybackError?
    /// The number of disconnects. A connect that started before the last one is superseded.
    private(set) var farewells = 0
    /// The connection attempt in progress.
    private var opening: Opening?
    /// The number of callers in `connect()`.
    private(set) var callers = 0
    /// Whether a caller has got the connection.
    private var isGiven = false

    // MARK: Who connects

    /// Registers a caller of `connect()`.
    ///
    /// - Returns: the number of disconnects so far.
    mutating func arrive() -> Int {
        callers += 1
        return farewells
    }

    /// Unregisters a caller of `connect()`.
    ///
    /// - Parameter isConnected: whether the caller has got the connection.
    /// - Returns: a connection to close, because all of its callers have been cancelled.
    mutating func leave(isConnected: Bool) -> ScreenConnection? {
        callers -= 1
        if isConnected { isGiven = true }
        // A caller that got the connection owns it. Without one, no call is left that would ever
        // close it.
        guard callers == 0, !isGiven else { return nil }
        defer { connection = nil }
        return connection
    }

    // MARK: What is made for them

    /// Starts an attempt.
    ///
    /// - Returns: the attempt; nil if there is a connection already.
    /// - Throws: `cancelled` if there was a disconnect since.
    mutating func begin(of farewells: Int, _ name: String, _ opening: () -> Opening) throws(PlaybackError) -> Opening? {
        guard farewells == self.farewells else { throw .wasLetGo(name) }
        guard connection?.isOver != false else { return nil }
        let opening = opening()
        self.opening = opening
        return opening
    }

    mutating func ended(_ opening: Opening) {
        // A later attempt may have begun. Its task must stay here for `letGo`.
        if self.opening == opening { self.opening = nil }
    }

    /// Stores a new connection.
    ///
    /// - Throws: `cancelled` if there was a disconnect since; the loss of the connection if it has
    ///   ended.
    mutating func keep(_ connection: ScreenConnection, of farewells: Int, _ name: String) throws(PlaybackError) {
        guard farewells == self.farewells else { throw .wasLetGo(name) }
        // A connection that ends after this line calls `lost`, which finds it stored.
        guard !connection.isOver else { throw connection.loss }
        (self.connection, loss, isGiven) = (connection, nil, false)
    }

    // MARK: Its end

    mutating func lost(_ connection: ScreenConnection, _ error: PlaybackError?) {
        // A connection that was replaced reports its end late.
        guard connection === self.connection else { return }
        (self.connection, loss) = (nil, error)
    }

    /// Disconnects.
    ///
    /// - Returns: the connection and the attempt to end.
    mutating func letGo() -> (ScreenConnection?, Opening?) {
        defer { (connection, loss) = (nil, nil) }
        // Callers that arrived before see that they are superseded. Callers that arrive later start
        // a new attempt.
        farewells += 1
        return (connection, opening)
    }
}

extension PlaybackError {
    static func wasLetGo(_ name: String) -> PlaybackError {
        PlaybackError(.cancelled, "\(name) was disconnected before its connection was complete")
    }
}
