/// Where a ``Playback`` plays, what, and what became of its screens.
public struct SessionState: Hashable, Sendable {
    public enum Place: Hashable, Sendable {
        /// The engine of this device.
        case engine
        case screen(id: String)
    }

    /// Why a screen does not have the session that it had, or was to have.
    public struct Return: Hashable, Sendable {
        public var screenID: String
        public var screenName: String
        public var error: PlaybackError
        /// From where it goes on.
        public var position: Duration

        public init(screenID: String, screenName: String, error: PlaybackError, position: Duration) {
            self.screenID = screenID
            self.screenName = screenName
            self.error = error
            self.position = position
        }
    }

    /// A screen that follows.
    public struct Follower: Hashable, Sendable {
        public var id: String
        public var name: String
        public var receives: PlaybackCommand.Kinds
        public var isConnected: Bool
        /// How often it could not be connected, was lost, or did not do what it was told.
        public var failures: Int
        public var lastError: PlaybackError?

        public init(
            id: String, name: String, receives: PlaybackCommand.Kinds, isConnected: Bool = false, failures: Int = 0,
            lastError: PlaybackError? = nil
        ) {
            self.id = id
            self.name = name
            self.receives = receives
            self.isConnected = isConnected
            self.failures = failures
            self.lastError = lastError
        }
    }

    /// Who has the session.
    public var place: Place
    /// Who is to get it, while a transfer is under way.
    public var destination: Place?
    /// What was last asked for, corrected by what the player says. The position is that of the
    /// moment in which this was told.
    public var playback: PlaybackState
    /// Set when the session came back by itself, until the next transfer.
    public var returned: Return?
    /// In the order in which they were added.
    public var followers: [Follower]

    public init(
        place: Place = .engine, destination: Place? = nil, playback: PlaybackState = .idle, returned: Return? = nil,
        followers: [Follower] = []
    ) {
        self.place = place
        self.destination = destination
        self.playback = playback
        self.returned = returned
        self.followers = followers
    }
}

extension PlaybackError: Hashable {
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}
