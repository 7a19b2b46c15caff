/// The state of a ``Playback``: its place, its item and its screens.
public struct SessionState: Hashable, Sendable {
    /// A place that the session can be at.
    public enum Place: Hashable, Sendable {
        /// The engine of this device.
        case engine
        /// A second screen, by its ``Screen/id``.
        case screen(id: String)
    }

    /// The loss of a session by a screen that had it, or should have got it.
    public struct Return: Hashable, Sendable {
        /// The ``Screen/id`` of the screen.
        public var screenID: String
        /// The ``Screen/name`` of the screen.
        public var screenName: String
        /// The reason why the screen does not have the session.
        public var error: PlaybackError
        /// The position from which the session continues.
        public var position: Duration

        /// Creates a description of a returned session.
        public init(screenID: String, screenName: String, error: PlaybackError, position: Duration) {
            self.screenID = screenID
            self.screenName = screenName
            self.error = error
            self.position = position
        }
    }

    /// A screen that follows the session.
    public struct Follower: Hashable, Sendable {
        /// The ``Screen/id`` of the screen.
        public var id: String
        /// The ``Screen/name`` of the screen.
        public var name: String
        /// The kinds of commands that it gets.
        public var receives: PlaybackCommand.Kinds
        /// Whether it is connected.
        public var isConnected: Bool
        /// The number of failed connections, lost connections and failed commands.
        public var failures: Int
        /// The error of the last failure; nil if there was none.
        public var lastError: PlaybackError?

        /// Creates the state of a follower.
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

    /// The place that has the session.
    public var place: Place
    /// The destination of a running transfer; nil if there is none.
    public var destination: Place?
    /// The last commanded state, corrected by the reports of the player.
    ///
    /// The position is the one at the time of this state.
    public var playback: PlaybackState
    /// The last loss of the session by a screen. A transfer resets it to nil.
    public var returned: Return?
    /// The followers, in the order of their addition.
    public var followers: [Follower]

    /// Creates a state.
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
