internal import WharfPlayback

/// Which connection a screen has, as a value: for those that connect at once, leave meanwhile, and
/// let go.
struct HeldConnection {
    typealias Opening = Task<Result<ScreenConnection, PlaybackError>, Never>

    private(set) var connection: ScreenConnection?
    private(set) var loss: PlaybackError?
    /// How often it was let go of. Who began to connect before has been overtaken.
    private(set) var farewells = 0
    /// The connection that is being made.
    private var opening: Opening?
    /// Those that connect now.
    private(set) var callers = 0
    /// Whether somebody was told that there is a connection.
    private var isGiven = false

    // MARK: Who connects

    /// - Returns: the farewells until now.
    mutating func arrive() -> Int {
        callers += 1
        return farewells
    }

    /// - Parameter isConnected: whether who leaves was given the connection.
    /// - Returns: the connection that was made for nobody, since all who wanted it have left.
    mutating func leave(isConnected: Bool) -> ScreenConnection? {
        callers -= 1
        if isConnected { isGiven = true }
        guard callers == 0, !isGiven else { return nil }
        defer { connection = nil }
        return connection
    }

    // MARK: What is made for them

    /// - Returns: nil where there is a connection already.
    /// - Throws: `cancelled` where it was let go of since.
    mutating func begin(of farewells: Int, _ name: String, _ opening: () -> Opening) throws(PlaybackError) -> Opening? {
        guard farewells == self.farewells else { throw .wasLetGo(name) }
        guard connection?.isOver != false else { return nil }
        let opening = opening()
        self.opening = opening
        return opening
    }

    mutating func ended(_ opening: Opening) {
        if self.opening == opening { self.opening = nil }
    }

    /// - Throws: `cancelled` where it was let go of since; or why it was lost already.
    mutating func keep(_ connection: ScreenConnection, of farewells: Int, _ name: String) throws(PlaybackError) {
        guard farewells == self.farewells else { throw .wasLetGo(name) }
        // One that ends later finds itself here, and says so.
        guard !connection.isOver else { throw connection.loss }
        (self.connection, loss, isGiven) = (connection, nil, false)
    }

    // MARK: Its end

    mutating func lost(_ connection: ScreenConnection, _ error: PlaybackError?) {
        guard connection === self.connection else { return }
        (self.connection, loss) = (nil, error)
    }

    /// - Returns: what is to be ended.
    mutating func letGo() -> (ScreenConnection?, Opening?) {
        defer { (connection, loss) = (nil, nil) }
        farewells += 1
        return (connection, opening)
    }
}

extension PlaybackError {
    static func wasLetGo(_ name: String) -> PlaybackError {
        PlaybackError(.cancelled, "\(name) was let go of before it was connected")
    }
}
